// Generated from console/messages/cards.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const enPlural = new Intl.PluralRules('en')
const en = {
title: "Report cards",
group: "Student group",
term: "Term",
year: "Full year",
student: "Student",
results: "Results",
lacks: "Missing",
nothing: "Nothing",
draft: (title: string) => `${title} (draft)`,
posted: "Posted",
edition: (edition: string) => `Edition ${edition}`,
complete: (count: number, total: number) => `${enNumber.format(count)} of ${enNumber.format(total)} report cards are complete.`,
marks: "Show marks",
only: "Only complete report cards",
print: (count: number) => `${(enPlural.select(count) === 'one' ? `Print ${enNumber.format(count)} card` : `Print ${enNumber.format(count)} cards`)}`,
progress: (done: number, total: number) => `${enNumber.format(done)} of ${enNumber.format(total)} cards prepared`,
queued: "Starting to print…",
done: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} card is ready. It can be downloaded for a day.` : `${enNumber.format(count)} cards are ready. They can be downloaded for a day.`)}`,
download: "Download PDF",
cancel: "Cancel",
cancelled: "Printing cancelled.",
failed: (fault: string) => `Could not print: ${fault}`,
none: "No students in this group",
noneText: "The student group has no active students.",
}

const esNumber = new Intl.NumberFormat('es')
const esPlural = new Intl.PluralRules('es')
const es: ScreenMessages = {
title: "Boletines",
group: "Grupo de estudiantes",
term: "Período",
year: "Todo el año",
student: "Estudiante",
results: "Resultados",
lacks: "Le falta",
nothing: "Nada",
draft: (title: string) => `${title} (borrador)`,
posted: "Publicado",
edition: (edition: string) => `Edición ${edition}`,
complete: (count: number, total: number) => `${esNumber.format(count)} de ${esNumber.format(total)} boletines completos.`,
marks: "Mostrar notas",
only: "Solo boletines completos",
print: (count: number) => `${(esPlural.select(count) === 'one' ? `Imprimir ${esNumber.format(count)} boletín` : (esPlural.select(count) === 'many' ? `Imprimir ${esNumber.format(count)} de boletines` : `Imprimir ${esNumber.format(count)} boletines`))}`,
progress: (done: number, total: number) => `${esNumber.format(done)} de ${esNumber.format(total)} boletines preparados`,
queued: "Preparando la impresión…",
done: (count: number) => `${(esPlural.select(count) === 'one' ? `${esNumber.format(count)} boletín está listo. Se puede descargar durante un día.` : (esPlural.select(count) === 'many' ? `${esNumber.format(count)} de boletines están listos. Se pueden descargar durante un día.` : `${esNumber.format(count)} boletines están listos. Se pueden descargar durante un día.`))}`,
download: "Descargar PDF",
cancel: "Cancelar",
cancelled: "Impresión cancelada.",
failed: (fault: string) => `No se pudo imprimir: ${fault}`,
none: "No hay estudiantes en este grupo",
noneText: "El grupo no tiene estudiantes activos.",
}

const ptNumber = new Intl.NumberFormat('pt')
const ptPlural = new Intl.PluralRules('pt')
const pt: ScreenMessages = {
title: "Boletins",
group: "Turma",
term: "Período letivo",
year: "O ano inteiro",
student: "Aluno",
results: "Resultados",
lacks: "Falta",
nothing: "Nada",
draft: (title: string) => `${title} (rascunho)`,
posted: "Publicado",
edition: (edition: string) => `Edição ${edition}`,
complete: (count: number, total: number) => `${ptNumber.format(count)} de ${ptNumber.format(total)} boletins completos.`,
marks: "Mostrar notas",
only: "Só boletins completos",
print: (count: number) => `${(ptPlural.select(count) === 'one' ? `Imprimir ${ptNumber.format(count)} boletim` : (ptPlural.select(count) === 'many' ? `Imprimir ${ptNumber.format(count)} de boletins` : `Imprimir ${ptNumber.format(count)} boletins`))}`,
progress: (done: number, total: number) => `${ptNumber.format(done)} de ${ptNumber.format(total)} boletins preparados`,
queued: "Preparando a impressão…",
done: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} boletim está pronto. Pode ser baixado durante um dia.` : (ptPlural.select(count) === 'many' ? `${ptNumber.format(count)} de boletins estão prontos. Podem ser baixados durante um dia.` : `${ptNumber.format(count)} boletins estão prontos. Podem ser baixados durante um dia.`))}`,
download: "Baixar PDF",
cancel: "Cancelar",
cancelled: "Impressão cancelada.",
failed: (fault: string) => `Não foi possível imprimir: ${fault}`,
none: "Não há alunos nesta turma",
noneText: "A turma não tem alunos ativos.",
}

type ScreenMessages = typeof en

/** The messages of the cards screen, by language. */
export const cardMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
