package runtime

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// Pages says how a page determines the parameters of the next one (x-pagination).
type Pages struct {
	Items, Page, Offset, More string
	Next                      map[string]string
}

func (p *Pages) itemsOf(body any) []any {
	found, _ := valueAt(p.Items, body).([]any)
	return found
}

// pageTurner turns the pages of one list. A page that leads back to an earlier one would never end.
type pageTurner struct {
	pages *Pages
	seen  []string
}

// turn returns the parameters of the next page; nil if this page is the last one.
func (t *pageTurner) turn(body any, header http.Header, current func(string) any) (map[string]any, error) {
	items := t.pages.itemsOf(body)
	following := map[string]any{}
	count := func(name string, usual, more int) {
		at := usual
		if number := current(name); number != nil {
			_, _ = fmt.Sscan(fmt.Sprint(number), &at)
		}
		following[name] = json.Number(fmt.Sprint(at + more))
	}
	if t.pages.Page != "" {
		count(t.pages.Page, 1, 1)
	}
	if t.pages.Offset != "" {
		count(t.pages.Offset, 0, len(items))
	}
	// A list that is paged by a counter ends with the first page without items.
	if len(following) > 0 && len(items) == 0 {
		return nil, nil
	}
	for _, name := range sortedNames(t.pages.Next) {
		where := t.pages.Next[name]
		value := valueAt(where, body)
		if key, ok := strings.CutPrefix(where, "$response.header."); ok {
			value = header.Get(key)
		}
		if value == nil || value == "" {
			return nil, nil
		}
		following[name] = value
	}
	if t.pages.More != "" && valueAt(t.pages.More, body) != true {
		return nil, nil
	}
	var before, after []any
	for _, name := range sortedNames(following) {
		before, after = append(before, current(name)), append(after, following[name])
	}
	old, _ := writeJSON(before)
	next, _ := writeJSON(after)
	if string(old) == string(next) {
		return nil, nil
	}
	t.seen = append(t.seen, string(old))
	if slices.Contains(t.seen, string(next)) {
		return nil, fmt.Errorf("the next page, by %s, was already read", strings.Join(sortedNames(following), " and "))
	}
	return following, nil
}

func sortedNames[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
