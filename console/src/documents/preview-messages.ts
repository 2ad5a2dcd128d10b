// Generated from console/messages/preview.*.json by npm run generate; do not edit.
import type { Language } from '../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const enPlural = new Intl.PluralRules('en')
const en = {
closer: "Zoom in",
farther: "Zoom out",
turn: "Rotate",
page: "Page {page} of {pages}",
pages: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} page` : `${enNumber.format(count)} pages`)}`,
some: (shown: number, pages: number) => `Showing the first ${enNumber.format(shown)} of ${enNumber.format(pages)} pages. Open the file to see all.`,
unreadable: "This page cannot be displayed.",
faults: {
password: "This PDF is password-protected. Open the file, or request a copy without a password.",
damaged: "This PDF is damaged and cannot be displayed. Try opening the file, or request it again.",
late: "This PDF takes too long to load here. Open the file instead.",
large: "This PDF is too large to preview. Open the file instead.",
},
}

const esNumber = new Intl.NumberFormat('es')
const esPlural = new Intl.PluralRules('es')
const es: ScreenMessages = {
closer: "Acercar",
farther: "Alejar",
turn: "Girar",
page: "Página {page} de {pages}",
pages: (count: number) => `${(esPlural.select(count) === 'one' ? `${esNumber.format(count)} página` : `${esNumber.format(count)} páginas`)}`,
some: (shown: number, pages: number) => `Se muestran las primeras ${esNumber.format(shown)} de ${esNumber.format(pages)} páginas. Abra el archivo para verlas todas.`,
unreadable: "Esta página no se puede mostrar.",
faults: {
password: "Este PDF está protegido con contraseña. Abra el archivo o solicite una copia sin contraseña.",
damaged: "Este PDF está dañado y no se puede mostrar. Intente abrir el archivo o solicítelo de nuevo.",
late: "Este PDF tarda demasiado en cargarse aquí. Abra el archivo.",
large: "Este PDF es demasiado grande para mostrarse aquí. Abra el archivo.",
},
}

const ptNumber = new Intl.NumberFormat('pt')
const ptPlural = new Intl.PluralRules('pt')
const pt: ScreenMessages = {
closer: "Aproximar",
farther: "Afastar",
turn: "Girar",
page: "Página {page} de {pages}",
pages: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} página` : `${ptNumber.format(count)} páginas`)}`,
some: (shown: number, pages: number) => `Mostrando as primeiras ${ptNumber.format(shown)} de ${ptNumber.format(pages)} páginas. Abra o arquivo para ver todas.`,
unreadable: "Não é possível mostrar esta página.",
faults: {
password: "Este PDF está protegido por senha. Abra o arquivo ou solicite uma cópia sem senha.",
damaged: "Este PDF está danificado e não pode ser exibido. Tente abrir o arquivo ou solicite-o de novo.",
late: "Este PDF demora demais para carregar aqui. Abra o arquivo.",
large: "Este PDF é grande demais para ser exibido aqui. Abra o arquivo.",
},
}

type ScreenMessages = typeof en

/** The messages of the preview screen, by language. */
export const previewMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
