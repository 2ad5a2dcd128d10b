/** The sentences of a catalogue by their places; functions are given a number and a name. */
export function sentences(messages: object, location = ''): [string, string][] {
  return Object.entries(messages).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'function') return [[`${location}${name}`, String(value(3, 7, 9))]]
    return typeof value === 'string' ? [[`${location}${name}`, value]] : sentences(value, `${location}${name}.`)
  })
}
