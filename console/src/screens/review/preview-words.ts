/** The sentences of a paper that is looked at, by language. */
export const previewWords = {
  en: { closer: 'Zoom in', farther: 'Zoom out', turn: 'Rotate' },
  es: { closer: 'Acercar', farther: 'Alejar', turn: 'Girar' },
  pt: { closer: 'Aproximar', farther: 'Afastar', turn: 'Girar' },
} as const
