/** The messages of the document preview, by language. */
export const previewMessages = {
  en: {
    closer: 'Zoom in',
    farther: 'Zoom out',
    turn: 'Rotate',
    page: 'Page {page} of {pages}',
    pages: (count: number) => (count === 1 ? '1 page' : `${count} pages`),
    some: (shown: number, pages: number) => `Showing the first ${shown} of ${pages} pages. Open the file to see all.`,
    unreadable: 'This page cannot be displayed.',
    faults: {
      password: 'This PDF is password-protected. Open the file, or request a copy without a password.',
      damaged: 'This PDF is damaged and cannot be displayed. Try opening the file, or request it again.',
      late: 'This PDF takes too long to load here. Open the file instead.',
      large: 'This PDF is too large to preview. Open the file instead.',
    },
  },
  es: {
    closer: 'Acercar',
    farther: 'Alejar',
    turn: 'Girar',
    page: 'Página {page} de {pages}',
    pages: (count: number) => (count === 1 ? '1 página' : `${count} páginas`),
    some: (shown: number, pages: number) =>
      `Se muestran las primeras ${shown} de ${pages} páginas. Abra el archivo para verlas todas.`,
    unreadable: 'Esta página no se puede mostrar.',
    faults: {
      password: 'Este PDF está protegido con contraseña. Abra el archivo o solicite una copia sin contraseña.',
      damaged: 'Este PDF está dañado y no se puede mostrar. Intente abrir el archivo o solicítelo de nuevo.',
      late: 'Este PDF tarda demasiado en cargarse aquí. Abra el archivo.',
      large: 'Este PDF es demasiado grande para mostrarse aquí. Abra el archivo.',
    },
  },
  pt: {
    closer: 'Aproximar',
    farther: 'Afastar',
    turn: 'Girar',
    page: 'Página {page} de {pages}',
    pages: (count: number) => (count === 1 ? '1 página' : `${count} páginas`),
    some: (shown: number, pages: number) =>
      `Mostrando as primeiras ${shown} de ${pages} páginas. Abra o arquivo para ver todas.`,
    unreadable: 'Não é possível mostrar esta página.',
    faults: {
      password: 'Este PDF está protegido por senha. Abra o arquivo ou solicite uma cópia sem senha.',
      damaged: 'Este PDF está danificado e não pode ser exibido. Tente abrir o arquivo ou solicite-o de novo.',
      late: 'Este PDF demora demais para carregar aqui. Abra o arquivo.',
      large: 'Este PDF é grande demais para ser exibido aqui. Abra o arquivo.',
    },
  },
} as const
