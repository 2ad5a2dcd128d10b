// Generated from console/messages/grades.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const enPlural = new Intl.PluralRules('en')
const en = {
title: "Grade sheet",
student: "Student",
total: "Total",
grade: "Grade",
of: (maximum: string) => `out of ${maximum}`,
bonus: (maximum: string) => `out of ${maximum}, more allowed`,
cell: (criterion: string, student: string) => `${criterion}, ${student}`,
hint: "Type a score and press Enter to go down. Leave a cell empty for not assessed, type E for excused. You can paste a column from a spreadsheet.",
range: (maximum: string) => `Enter a score from 0 to ${maximum}.`,
saved: "All scores are saved.",
saving: "Saving…",
waiting: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} score is waiting for a connection.` : `${enNumber.format(count)} scores are waiting for a connection.`)}`,
refused: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} score was not saved.` : `${enNumber.format(count)} scores were not saved.`)}`,
meanwhile: (theirs: string) => `Someone else entered ${theirs} in the meantime.`,
nothing: "nothing",
mine: "Keep mine",
theirs: "Keep theirs",
submitted: "Submitted",
locked: "To change a submitted result, cancel and amend it.",
submit: "Submit results…",
submitTitle: "Submit the results?",
submitText: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} result will be submitted. Then it can only be cancelled and amended.` : `${enNumber.format(count)} results will be submitted. Then they can only be cancelled and amended.`)}`,
leftOut: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} student has no score yet and is left out.` : `${enNumber.format(count)} students have no score yet and are left out.`)}`,
submitDone: (count: number) => `${(enPlural.select(count) === 'one' ? `${enNumber.format(count)} result submitted` : `${enNumber.format(count)} results submitted`)}`,
none: "This plan has no students",
noneText: "The student group of this plan has no active students.",
draft: "Submit the assessment plan before you enter scores.",
plan: "Assessment plan",
}

const esNumber = new Intl.NumberFormat('es')
const esPlural = new Intl.PluralRules('es')
const es: ScreenMessages = {
title: "Hoja de calificaciones",
student: "Estudiante",
total: "Total",
grade: "Calificación",
of: (maximum: string) => `sobre ${maximum}`,
bonus: (maximum: string) => `sobre ${maximum}, se admite más`,
cell: (criterion: string, student: string) => `${criterion}, ${student}`,
hint: "Escriba una nota y presione Intro para bajar. Deje la celda vacía si no fue evaluado y escriba E si está eximido. Puede pegar una columna de una hoja de cálculo.",
range: (maximum: string) => `Ingrese una nota de 0 a ${maximum}.`,
saved: "Todas las notas están guardadas.",
saving: "Guardando…",
waiting: (count: number) => `${(esPlural.select(count) === 'one' ? `${esNumber.format(count)} nota espera la conexión.` : `${esNumber.format(count)} notas esperan la conexión.`)}`,
refused: (count: number) => `${(esPlural.select(count) === 'one' ? `${esNumber.format(count)} nota no se guardó.` : `${esNumber.format(count)} notas no se guardaron.`)}`,
meanwhile: (theirs: string) => `Mientras tanto, otra persona ingresó ${theirs}.`,
nothing: "nada",
mine: "Conservar la mía",
theirs: "Conservar la otra",
submitted: "Confirmado",
locked: "Para cambiar un resultado confirmado, cancélelo y rectifíquelo.",
submit: "Confirmar resultados…",
submitTitle: "¿Confirmar los resultados?",
submitText: (count: number) => `${(esPlural.select(count) === 'one' ? `Se confirmará ${esNumber.format(count)} resultado. Después solo se puede cancelar y rectificar.` : `Se confirmarán ${esNumber.format(count)} resultados. Después solo se pueden cancelar y rectificar.`)}`,
leftOut: (count: number) => `${(esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante aún no tiene nota y queda fuera.` : `${esNumber.format(count)} estudiantes aún no tienen nota y quedan fuera.`)}`,
submitDone: (count: number) => `${(esPlural.select(count) === 'one' ? `${esNumber.format(count)} resultado confirmado` : `${esNumber.format(count)} resultados confirmados`)}`,
none: "Este plan no tiene estudiantes",
noneText: "El grupo de estudiantes de este plan no tiene estudiantes activos.",
draft: "Confirme el plan de evaluación antes de ingresar notas.",
plan: "Plan de evaluación",
}

const ptNumber = new Intl.NumberFormat('pt')
const ptPlural = new Intl.PluralRules('pt')
const pt: ScreenMessages = {
title: "Planilha de notas",
student: "Estudante",
total: "Total",
grade: "Conceito",
of: (maximum: string) => `de ${maximum}`,
bonus: (maximum: string) => `de ${maximum}, mais é permitido`,
cell: (criterion: string, student: string) => `${criterion}, ${student}`,
hint: "Digite uma nota e pressione Enter para descer. Deixe a célula vazia se não foi avaliado e digite E se está dispensado. Você pode colar uma coluna de uma planilha.",
range: (maximum: string) => `Digite uma nota de 0 a ${maximum}.`,
saved: "Todas as notas estão salvas.",
saving: "Salvando…",
waiting: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} nota aguarda a conexão.` : `${ptNumber.format(count)} notas aguardam a conexão.`)}`,
refused: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} nota não foi salva.` : `${ptNumber.format(count)} notas não foram salvas.`)}`,
meanwhile: (theirs: string) => `Enquanto isso, outra pessoa lançou ${theirs}.`,
nothing: "nada",
mine: "Manter a minha",
theirs: "Manter a outra",
submitted: "Confirmado",
locked: "Para alterar um resultado confirmado, cancele-o e retifique-o.",
submit: "Confirmar resultados…",
submitTitle: "Confirmar os resultados?",
submitText: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} resultado será confirmado. Depois só poderá ser cancelado e retificado.` : `${ptNumber.format(count)} resultados serão confirmados. Depois só poderão ser cancelados e retificados.`)}`,
leftOut: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} estudante ainda não tem nota e fica de fora.` : `${ptNumber.format(count)} estudantes ainda não têm nota e ficam de fora.`)}`,
submitDone: (count: number) => `${(ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} resultado confirmado` : `${ptNumber.format(count)} resultados confirmados`)}`,
none: "Este plano não tem estudantes",
noneText: "A turma deste plano não tem estudantes ativos.",
draft: "Confirme o plano de avaliação antes de lançar notas.",
plan: "Plano de avaliação",
}

type ScreenMessages = typeof en

/** The messages of the grades screen, by language. */
export const gradeMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
