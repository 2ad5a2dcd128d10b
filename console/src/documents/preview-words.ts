/** The sentences of a paper that is looked at, by language. */
export const previewMessages = {
  en: {
    closer: 'Zoom in',
    farther: 'Zoom out',
    turn: 'Rotate',
    page: 'Page {page} of {pages}',
    pages: (count: number) => (count === 1 ? '1 page' : `${count} pages`),
    some: (shown: number, pages: number) => `The first ${shown} of ${pages} pages. Open the file to see them all.`,
    unreadable: 'This page cannot be shown.',
    faults: {
      password: 'This PDF is protected by a password. Open the file, or ask for one without a password.',
      damaged: 'This PDF is damaged and cannot be shown. Try to open the file, or ask for it again.',
      late: 'This PDF takes too long to be shown here. Open the file.',
      large: 'This PDF is too large to be shown here. Open the file.',
    },
  },
  es: {
    closer: 'Acercar',
    farther: 'Alejar',
    turn: 'Girar',
    page: 'Página {page} de {pages}',
    pages: (count: number) => (count === 1 ? '1 página' : `${count} páginas`),
    some: (shown: number, pages: number) =>
      `Las primeras ${shown} de ${pages} páginas. Abra el archivo para verlas todas.`,
    unreadable: 'Esta página no se puede mostrar.',
    faults: {
      password: 'Este PDF está protegido con contraseña. Abra el archivo o pida uno sin contraseña.',
      damaged: 'Este PDF está dañado y no se puede mostrar. Intente abrir el archivo o pídalo de nuevo.',
      late: 'Este PDF tarda demasiado en mostrarse aquí. Abra el archivo.',
      large: 'Este PDF es demasiado grande para mostrarse aquí. Abra el archivo.',
    },
  },
  pt: {
    closer: 'Aproximar',
    farther: 'Afastar',
    turn: 'Girar',
    page: 'Página {page} de {pages}',
    pages: (count: number) => (count === 1 ? '1 página' : `${count} páginas`),
    some: (shown: number, pages: number) => `As primeiras ${shown} de ${pages} páginas. Abra o arquivo para ver todas.`,
    unreadable: 'Esta página não pode ser mostrada.',
    faults: {
      password: 'Este PDF está protegido por senha. Abra o arquivo ou peça um sem senha.',
      damaged: 'Este PDF está danificado e não pode ser mostrado. Tente abrir o arquivo ou peça-o de novo.',
      late: 'Este PDF demora demais para ser mostrado aqui. Abra o arquivo.',
      large: 'Este PDF é grande demais para ser mostrado aqui. Abra o arquivo.',
    },
  },
} as const
