package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// longestItem is the maximum length of an item in bytes; an endless item would use all memory.
const longestItem = 64 << 20

// piece is the text of an item: data, and of an event its type, id and retry.
type piece struct {
	data     string
	event    object
	isCutOff bool
}

// splitter divides the text of a stream into its items: events (WHATWG HTML, 9.2.6), lines of JSON, or JSON texts after record separators.
type splitter struct {
	kind    string
	rest    []byte
	begun   bool
	afterCR bool
	event   object
	data    []string
	size    int
	lastID  string
	retry   time.Duration
}

func (s *splitter) push(chunk []byte) []piece {
	s.rest = append(s.rest, chunk...)
	if !s.begun {
		if len(s.rest) < 3 && strings.HasPrefix("\ufeff", string(s.rest)) {
			return nil
		}
		s.begun = true
		s.rest = bytes.TrimPrefix(s.rest, []byte("\ufeff"))
	}
	var found []piece
	if s.kind != "events" {
		mark := byte('\n')
		if s.kind == "sequence" {
			mark = 0x1e
		}
		for {
			at := bytes.IndexByte(s.rest, mark)
			if at < 0 {
				return found
			}
			found = s.text(found, s.rest[:at])
			s.rest = s.rest[at+1:]
		}
	}
	for {
		if s.afterCR && len(s.rest) > 0 {
			if s.rest[0] == '\n' {
				s.rest = s.rest[1:]
			}
			s.afterCR = false
		}
		at := bytes.IndexAny(s.rest, "\r\n")
		if at < 0 {
			return found
		}
		line := string(s.rest[:at])
		s.afterCR = s.rest[at] == '\r'
		s.rest = s.rest[at+1:]
		if line != "" {
			s.line(line)
		} else {
			found = s.ended(found)
		}
	}
}

// end returns the items that the end of the body ends.
func (s *splitter) end() []piece {
	if s.kind == "events" {
		return nil
	}
	found := s.text(nil, s.rest)
	s.rest = nil
	return found
}

// pending is the data of an event that is incomplete at the end.
func (s *splitter) pending() (string, bool) {
	if len(s.rest) > 0 {
		s.line(string(s.rest))
		s.rest = nil
	}
	return strings.Join(s.data, "\n"), s.data != nil
}

func (s *splitter) waiting() int { return len(s.rest) + s.size }

func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

var digits = regexp.MustCompile(`^[0-9]+$`)

func (s *splitter) line(line string) {
	name, value, _ := strings.Cut(validText(line), ":")
	value = strings.TrimPrefix(value, " ")
	if s.event == nil {
		s.event = object{}
	}
	switch {
	case name == "data":
		s.data = append(s.data, value)
		s.size += len(value)
	case name == "event" && value != "":
		s.event["event"] = value
	case name == "id" && !strings.Contains(value, "\x00"):
		s.event["id"] = value
	case name == "retry" && digits.MatchString(value):
		s.event["retry"] = json.Number(strings.TrimLeft(value[:len(value)-1], "0") + value[len(value)-1:])
		if number, err := strconv.Atoi(value); err == nil {
			s.retry = time.Duration(number) * time.Millisecond
		}
	}
}

func (s *splitter) ended(found []piece) []piece {
	event, data := s.event, s.data
	s.event, s.data, s.size = nil, nil, 0
	if id, ok := event["id"].(string); ok {
		s.lastID = id
	}
	if data == nil {
		return found
	}
	return append(found, piece{data: strings.Join(data, "\n"), event: event})
}

func (s *splitter) text(found []piece, text []byte) []piece {
	data := strings.TrimSpace(validText(string(text)))
	if data == "" {
		return found
	}
	// RFC 7464, 2.4: a number without a line feed after it may be the beginning of a longer one.
	isCutOff := s.kind == "sequence" && (data[0] == '-' || isWord(data[0])) && strings.TrimSpace(string(text[len(text)-1:])) != ""
	return append(found, piece{data: data, isCutOff: isCutOff})
}

// item is the item of a piece; an error if its data must be JSON and is not.
func (c *Content) item(of piece) (any, error) {
	var data any = of.data
	switch trimmed := strings.TrimSpace(of.data); {
	case c.Stream.Data == "json":
		if of.isCutOff {
			return nil, errors.New("truncated")
		}
		value, err := parseJSON([]byte(of.data))
		if err != nil {
			return nil, err
		}
		data = value
	case c.Stream.Data == "either" && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")):
		if value, err := parseJSON([]byte(of.data)); err == nil {
			data = value
		}
	}
	if c.Stream.Item == "data" {
		return data, nil
	}
	event := object{"data": data}
	for name, value := range of.event {
		event[name] = value
	}
	return event, nil
}
