/** More marks than this in a row no language has (Stream-Safe Text Format, UAX #15 §13). */
const unlikelyMarks = /\p{M}{31}/u

/**
 * A text in a normalization form of Unicode (UAX #15). One with more than thirty marks in a row stays as it is: to put them
 * into order takes time by the square of their number.
 */
export function normalForm(text: string, form: 'NFC' | 'NFKC'): string {
  return unlikelyMarks.test(text) ? text : text.normalize(form)
}
