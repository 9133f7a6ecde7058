/** Why a part of a request could not be read. What was not read is not known: it is neither absent nor valid. */
export type UnreadReason =
  /** The recording does not have it. */
  | 'not-recorded'
  /** It ends before its last byte. */
  | 'incomplete'
  /** It is compressed. */
  | 'content-encoding'
  /** Its media type is not declared, or not one that can be read. */
  | 'media-type'
  /** It is bytes or a file, whose content no schema describes. */
  | 'bytes'
  /** It is not UTF-8, or its Content-Type names another charset. */
  | 'charset'
  | 'percent-encoding'
  /** It is not JSON. */
  | 'json'
  /** It has a number with more digits than a double has, or a text that is not Unicode. */
  | 'precision'
  /** It cannot be decoded by the codec of its media type, such as CBOR. */
  | 'codec'
  /** It is not a form with named fields. */
  | 'form'
  /** It is not in the style of its parameter. */
  | 'style'
  /** Its address is not one of a declared server. */
  | 'address'
