package runtime

import (
	"fmt"
	"io"
	"net/http"
)

// open is the head of a stream.
func (c *httpCall) open(response *http.Response) (*answer, error) {
	_, contents, err := c.described(response)
	if err != nil {
		return nil, err
	}
	var streams []*Content
	for _, one := range contents {
		if one.Stream != nil {
			streams = append(streams, one)
		}
	}
	at := declaredContent(streams, response.Header.Get("Content-Type"))
	if at < 0 {
		return nil, c.wrongType(response, streams)
	}
	c.deadline.stop()
	return &answer{response: response, content: streams[at], place: streams[at].place}, nil
}

// items yields the items of a stream. A GET whose events have ids is continued with Last-Event-ID.
func (c *httpCall) items(found *answer, input Input, yield func(any) (bool, error)) error {
	stream := found.content.Stream
	end := "[DONE]"
	hasEnd := stream.End != nil || stream.Data == "json"
	if stream.End != nil {
		end = *stream.End
	}
	parts := &splitter{kind: found.content.Codec}
	response := found.response
	defer func() { _ = response.Body.Close() }()
	chunk := make([]byte, 32<<10)
	count, attempt := 0, 1
	for {
		size, failed := response.Body.Read(chunk)
		pieces := parts.push(chunk[:size])
		if failed == io.EOF {
			pieces = append(pieces, parts.end()...)
		}
		if parts.waiting() > longestItem {
			return c.failures.call(MalformedAnswer, fmt.Sprintf(": an item exceeds %d bytes", longestItem), nil, nil)
		}
		for _, one := range pieces {
			if hasEnd && one.data == end {
				return nil
			}
			count++
			attempt = 1
			item, err := found.content.item(one)
			if err != nil {
				what := "not JSON"
				if one.isCutOff {
					what = "truncated"
				}
				return c.failures.call(MalformedAnswer, fmt.Sprintf(": item %d of the stream is %s", count, what), nil, err)
			}
			text := fmt.Sprintf(": item %d of the stream does not match its schema", count)
			if err := c.validate(found.place, item, text); err != nil {
				return err
			}
			c.warn()
			if more, err := yield(item); !more || err != nil {
				return err
			}
		}
		if failed == nil {
			continue
		}
		if failed == io.EOF {
			rest, _ := parts.pending()
			if stream.End == nil || rest == end {
				return nil
			}
			failed = fmt.Errorf("the stream ended without %s, which marks its end", end)
		}
		if err := c.deadline.failure(c.failures); err != nil {
			return err
		}
		attempt++
		again, err := c.again(parts, attempt, input)
		if err != nil {
			return err
		}
		if again == nil {
			return c.failures.call(Network, ": the stream was interrupted: "+textWithoutURL(failed), nil, failed)
		}
		if again.StatusCode == 204 {
			return nil
		}
		_ = response.Body.Close()
		response = again
		parts = &splitter{kind: found.content.Codec, lastID: parts.lastID}
	}
}

// again is the response that continues a stream; nil if it must not be repeated.
func (c *httpCall) again(parts *splitter, attempt int, input Input) (*http.Response, error) {
	if parts.lastID == "" || c.operation.Method != "GET" {
		return nil, nil
	}
	own := *c.settings
	if parts.retry > 0 {
		own.retry.Delay = parts.retry
	}
	wait, ok := waitBefore(attempt, "", &own)
	if !ok {
		return nil, nil
	}
	if err := own.clock.Sleep(c.deadline.ctx, wait); err != nil {
		return nil, c.deadline.failure(c.failures)
	}
	own.header = own.header.Clone()
	own.header.Set("Last-Event-Id", parts.lastID)
	own.retry.Attempts = 1
	call := *c
	call.settings = &own
	call.deadline = newDeadline(c.deadline.ctx, &own, own.timeout)
	found, err := call.run(input, func(response *http.Response) (*answer, error) {
		if response.StatusCode == 204 {
			return &answer{response: response}, nil
		}
		return call.open(response)
	})
	if err != nil {
		return nil, err
	}
	return found.response, nil
}
