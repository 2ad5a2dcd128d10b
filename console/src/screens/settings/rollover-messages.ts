// Generated from console/messages/rollover.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const en = {
about: "Prepare the next academic year step by step. Each step shows what already exists and links to the screen for it.",
year: "Academic year",
noYear: "Create the next academic year first.",
createYear: "Create academic year",
done: "Done",
open: "To do",
found: (count: number) => `${(count === 0 ? `none yet` : `${enNumber.format(count)} found`)}`,
show: "Show",
create: "Create",
switch: "Make it the current year",
isCurrent: "It is the current year.",
isNotCurrent: (year: string) => `The current year is ${year}. Change it in Education Settings on the first day.`,
steps: {
"Academic Term": "Create the terms",
"Student Admission": "Open admissions",
"Fee Structure": "Set the fees",
"Student Promotion": "Promote students",
"Program Enrollment": "Enrol students",
"Student Group": "Create classes and groups",
"Course Schedule": "Make the timetable",
"Fee Schedule": "Create the fees",
},
}

const esNumber = new Intl.NumberFormat('es')
const esPlural = new Intl.PluralRules('es')
const es: ScreenMessages = {
about: "Prepare el próximo año académico paso a paso. Cada paso muestra lo que ya existe y enlaza con la pantalla correspondiente.",
year: "Año académico",
noYear: "Cree primero el próximo año académico.",
createYear: "Crear año académico",
done: "Hecho",
open: "Pendiente",
found: (count: number) => `${(count === 0 ? `ninguno aún` : (esPlural.select(count) === 'one' ? `${esNumber.format(count)} encontrado` : `${esNumber.format(count)} encontrados`))}`,
show: "Ver",
create: "Crear",
switch: "Convertirlo en el año actual",
isCurrent: "Es el año actual.",
isNotCurrent: (year: string) => `El año actual es ${year}. Cámbielo en los ajustes de educación el primer día.`,
steps: {
"Academic Term": "Crear los periodos",
"Student Admission": "Abrir la admisión",
"Fee Structure": "Fijar las cuotas",
"Student Promotion": "Promover estudiantes",
"Program Enrollment": "Matricular estudiantes",
"Student Group": "Crear clases y grupos",
"Course Schedule": "Hacer el horario",
"Fee Schedule": "Emitir las cuotas",
},
}

const ptNumber = new Intl.NumberFormat('pt')
const ptPlural = new Intl.PluralRules('pt')
const pt: ScreenMessages = {
about: "Prepare o próximo ano letivo passo a passo. Cada passo mostra o que já existe e leva à tela correspondente.",
year: "Ano letivo",
noYear: "Crie primeiro o próximo ano letivo.",
createYear: "Criar ano letivo",
done: "Feito",
open: "Pendente",
found: (count: number) => `${(count === 0 ? `nenhum ainda` : (ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} encontrado` : `${ptNumber.format(count)} encontrados`))}`,
show: "Ver",
create: "Criar",
switch: "Torná-lo o ano atual",
isCurrent: "É o ano atual.",
isNotCurrent: (year: string) => `O ano atual é ${year}. Altere-o nas configurações de educação no primeiro dia.`,
steps: {
"Academic Term": "Criar os períodos",
"Student Admission": "Abrir a admissão",
"Fee Structure": "Definir as taxas",
"Student Promotion": "Promover estudantes",
"Program Enrollment": "Matricular estudantes",
"Student Group": "Criar turmas e grupos",
"Course Schedule": "Fazer o horário",
"Fee Schedule": "Emitir as taxas",
},
}

type ScreenMessages = typeof en

/** The messages of the rollover screen, by language. */
export const rolloverMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
