// Generated from console/messages/attendance.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const enPlural = new Intl.PluralRules('en')
const en = {
  title: 'Attendance',
  day: 'Rolls of the day',
  date: 'Day',
  all: 'All rolls of the day',
  open: 'Not marked yet',
  done: 'Marked',
  others: 'Other lessons',
  mine: 'Mine',
  none: 'No rolls on this day',
  noneText: 'There is no lesson and no group on this day that you call the roll of.',
  holiday: 'This day is a holiday. No attendance is kept.',
  frozen: (day: string) =>
    `Attendance up to ${day} is frozen. The office moves the Attendance Freeze Date in Education Settings to correct it.`,
  daily: 'Daily roll',
  marked: (count: number, total: number) => `${enNumber.format(count)} of ${enNumber.format(total)} marked`,
  students: (count: number) =>
    `${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student` : `${enNumber.format(count)} students`}`,
  hint: 'Everybody is present. Tap who is not.',
  correction: 'Tap a name to correct it, then save.',
  present: 'Present',
  absent: 'Absent',
  late: 'Late',
  lateBy: (minutes: number) =>
    `${enPlural.select(minutes) === 'one' ? `Late by ${enNumber.format(minutes)} minute` : `Late by ${enNumber.format(minutes)} minutes`}`,
  excused: 'Excused',
  leave: 'On leave',
  halfDay: 'Half day',
  code: 'Code',
  noCode: 'No code',
  minutes: 'Minutes late',
  more: 'More',
  of: (what: string, student: string) => `${what}, ${student}`,
  save: (present: number, absent: number) =>
    `Save: ${enNumber.format(present)} present, ${enNumber.format(absent)} absent`,
  saveChanges: (count: number) =>
    `${enPlural.select(count) === 'one' ? `Save ${enNumber.format(count)} change` : `Save ${enNumber.format(count)} changes`}`,
  saved: 'The roll is saved.',
  saving: 'Saving…',
  waiting: 'The roll is waiting for the network. It is sent as soon as it is back.',
  refused: (count: number) =>
    `${enPlural.select(count) === 'one' ? `${enNumber.format(count)} student was not marked.` : `${enNumber.format(count)} students were not marked.`}`,
  meanwhile: (student: string, theirs: string) => `${student}: somebody marked ${theirs} meanwhile.`,
  nothing: 'nothing',
  keepMine: 'Keep mine',
  keepTheirs: 'Keep theirs',
  timetable: 'My timetable',
  notMine: 'You may see this roll, but not mark it.',
  empty: 'Nobody is in this group on this day',
  emptyText: 'The student group has no members on this day.',
}

const esNumber = new Intl.NumberFormat('es')
const esPlural = new Intl.PluralRules('es')
const es: ScreenMessages = {
  title: 'Asistencia',
  day: 'Listas del día',
  date: 'Día',
  all: 'Todas las listas del día',
  open: 'Aún sin pasar',
  done: 'Pasadas',
  others: 'Otras clases',
  mine: 'Mías',
  none: 'No hay listas este día',
  noneText: 'Este día no hay ninguna clase ni ningún grupo a los que usted pase lista.',
  holiday: 'Este día es festivo. No se registra asistencia.',
  frozen: (day: string) =>
    `La asistencia hasta el ${day} está congelada. La secretaría mueve la fecha de congelación en la configuración educativa para corregirla.`,
  daily: 'Lista diaria',
  marked: (count: number, total: number) => `${esNumber.format(count)} de ${esNumber.format(total)} registrados`,
  students: (count: number) =>
    `${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante` : (esPlural.select(count) === 'many' ? `${esNumber.format(count)} de estudiantes` : `${esNumber.format(count)} estudiantes`)}`,
  hint: 'Todos están presentes. Toque a quien no lo está.',
  correction: 'Toque un nombre para corregirlo y guarde después.',
  present: 'Presente',
  absent: 'Ausente',
  late: 'Tarde',
  lateBy: (minutes: number) =>
    `${esPlural.select(minutes) === 'one' ? `${esNumber.format(minutes)} minuto tarde` : (esPlural.select(minutes) === 'many' ? `${esNumber.format(minutes)} de minutos tarde` : `${esNumber.format(minutes)} minutos tarde`)}`,
  excused: 'Justificado',
  leave: 'Con permiso',
  halfDay: 'Medio día',
  code: 'Código',
  noCode: 'Sin código',
  minutes: 'Minutos de retraso',
  more: 'Más',
  of: (what: string, student: string) => `${what} de ${student}`,
  save: (present: number, absent: number) =>
    `Guardar: ${esNumber.format(present)} presentes, ${esNumber.format(absent)} ausentes`,
  saveChanges: (count: number) =>
    `${esPlural.select(count) === 'one' ? `Guardar ${esNumber.format(count)} cambio` : (esPlural.select(count) === 'many' ? `Guardar ${esNumber.format(count)} de cambios` : `Guardar ${esNumber.format(count)} cambios`)}`,
  saved: 'La lista está guardada.',
  saving: 'Guardando…',
  waiting: 'La lista espera a la red. Se envía en cuanto vuelva.',
  refused: (count: number) =>
    `${esPlural.select(count) === 'one' ? `${esNumber.format(count)} estudiante no se registró.` : (esPlural.select(count) === 'many' ? `${esNumber.format(count)} de estudiantes no se registraron.` : `${esNumber.format(count)} estudiantes no se registraron.`)}`,
  meanwhile: (student: string, theirs: string) => `${student}: mientras tanto alguien registró ${theirs}.`,
  nothing: 'nada',
  keepMine: 'Conservar lo mío',
  keepTheirs: 'Conservar lo suyo',
  timetable: 'Mi horario',
  notMine: 'Puede ver esta lista, pero no pasarla.',
  empty: 'Nadie está en este grupo este día',
  emptyText: 'El grupo no tiene miembros este día.',
}

const ptNumber = new Intl.NumberFormat('pt')
const ptPlural = new Intl.PluralRules('pt')
const pt: ScreenMessages = {
  title: 'Frequência',
  day: 'Chamadas do dia',
  date: 'Dia',
  all: 'Todas as chamadas do dia',
  open: 'Ainda sem chamada',
  done: 'Feitas',
  others: 'Outras aulas',
  mine: 'Minhas',
  none: 'Não há chamadas neste dia',
  noneText: 'Neste dia não há aula nem turma em que você faça a chamada.',
  holiday: 'Este dia é feriado. Não há registro de frequência.',
  frozen: (day: string) =>
    `A frequência até ${day} está congelada. A secretaria muda a data de congelamento nas configurações de educação para corrigi-la.`,
  daily: 'Chamada diária',
  marked: (count: number, total: number) => `${ptNumber.format(count)} de ${ptNumber.format(total)} registrados`,
  students: (count: number) =>
    `${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} aluno` : (ptPlural.select(count) === 'many' ? `${ptNumber.format(count)} de alunos` : `${ptNumber.format(count)} alunos`)}`,
  hint: 'Todos estão presentes. Toque em quem não está.',
  correction: 'Toque em um nome para corrigi-lo e depois salve.',
  present: 'Presente',
  absent: 'Ausente',
  late: 'Atrasado',
  lateBy: (minutes: number) =>
    `${ptPlural.select(minutes) === 'one' ? `${ptNumber.format(minutes)} minuto de atraso` : (ptPlural.select(minutes) === 'many' ? `${ptNumber.format(minutes)} de minutos de atraso` : `${ptNumber.format(minutes)} minutos de atraso`)}`,
  excused: 'Justificado',
  leave: 'De licença',
  halfDay: 'Meio dia',
  code: 'Código',
  noCode: 'Sem código',
  minutes: 'Minutos de atraso',
  more: 'Mais',
  of: (what: string, student: string) => `${what} de ${student}`,
  save: (present: number, absent: number) =>
    `Salvar: ${ptNumber.format(present)} presentes, ${ptNumber.format(absent)} ausentes`,
  saveChanges: (count: number) =>
    `${ptPlural.select(count) === 'one' ? `Salvar ${ptNumber.format(count)} alteração` : (ptPlural.select(count) === 'many' ? `Salvar ${ptNumber.format(count)} de alterações` : `Salvar ${ptNumber.format(count)} alterações`)}`,
  saved: 'A chamada está salva.',
  saving: 'Salvando…',
  waiting: 'A chamada espera pela rede. Ela é enviada assim que a rede voltar.',
  refused: (count: number) =>
    `${ptPlural.select(count) === 'one' ? `${ptNumber.format(count)} aluno não foi registrado.` : (ptPlural.select(count) === 'many' ? `${ptNumber.format(count)} de alunos não foram registrados.` : `${ptNumber.format(count)} alunos não foram registrados.`)}`,
  meanwhile: (student: string, theirs: string) => `${student}: nesse meio-tempo alguém registrou ${theirs}.`,
  nothing: 'nada',
  keepMine: 'Manter o meu',
  keepTheirs: 'Manter o deles',
  timetable: 'Meu horário',
  notMine: 'Você pode ver esta chamada, mas não fazê-la.',
  empty: 'Ninguém está nesta turma neste dia',
  emptyText: 'A turma não tem membros neste dia.',
}

type ScreenMessages = typeof en

/** The messages of the attendance screen, by language. */
export const attendanceMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
