/** The sentences of a catalogue by their places; functions are given a number and a name. */
export function sentences(words: object, place = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'function') return [[`${place}${name}`, String(value(3, 7, 9))]]
    return typeof value === 'string' ? [[`${place}${name}`, value]] : sentences(value, `${place}${name}.`)
  })
}
