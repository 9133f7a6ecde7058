// The driver of Go: it is built within the generated module. README.md has the protocol.
package main

import "contract"

func main() { contract.Drive() }
