import { jsonText } from '../text/escape.js'
import { tokens } from './tokens.js'

/** A sample in one language, named as on its tab. */
export type Snippet = { readonly language: string; readonly text: string }

/** A JSON-RPC request in the languages without a generated client, using the standard library of each, or `requests`. */
export function rpcSnippets(url: string, request: unknown): readonly Snippet[] {
  // A lone surrogate is invalid in a Go string.
  const json = jsonText(request, 2).replace(/[\ud800-\udfff]/gu, '\ufffd')
  return [
    { language: 'Python', text: python(url, json) },
    { language: 'Go', text: go(url, json) },
    { language: 'Java', text: java(url, json) },
    { language: 'PHP', text: php(url, json) },
  ]
}

const python = (url: string, json: string) => `import requests

request = ${pythonLiteral(json)}
response = requests.post(${quoted(url)}, json=request).json()
print(response.get("result", response.get("error")))`

/** JSON is valid Python except for three words. */
const pythonLiteral = (json: string): string =>
  [...tokens(json)]
    .map(({ text, kind }) => (kind === 'word' ? (PYTHON_WORDS[text] ?? text) : text))
    .join('')

const PYTHON_WORDS: Readonly<Record<string, string>> = {
  true: 'True',
  false: 'False',
  null: 'None',
}

const go = (url: string, json: string) => `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	request := strings.NewReader(${json.includes('`') ? quoted(json) : `\`${json}\``})
	response, err := http.Post(${quoted(url)}, "application/json", request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	fmt.Println(string(body), err)
}`

const java = (url: string, json: string) => `import java.net.URI;
import java.net.http.*;

HttpRequest request = HttpRequest.newBuilder(URI.create(${quoted(url)}))
    .header("content-type", "application/json")
    .POST(HttpRequest.BodyPublishers.ofString("""
${json.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""').replace(/^/gm, '        ')}
        """))
    .build();
HttpResponse<String> response = HttpClient.newHttpClient()
    .send(request, HttpResponse.BodyHandlers.ofString());
System.out.println(response.body());`

const php = (url: string, json: string) => `<?php
$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'content-type: application/json',
    'content' => ${singleQuoted(json)},
]]);
echo file_get_contents(${singleQuoted(url)}, false, $context);`

/** A one-line string for Python, Go and Java, whose escapes are those of JSON. */
const quoted = (text: string): string => JSON.stringify(text)

const singleQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
