import type { Language } from '../../messages/messages.tsx'

const english = {
  title: 'Grade sheet',
  student: 'Student',
  total: 'Total',
  grade: 'Grade',
  of: (maximum: string) => `out of ${maximum}`,
  bonus: (maximum: string) => `out of ${maximum}, more allowed`,
  cell: (criterion: string, student: string) => `${criterion}, ${student}`,
  hint: 'Type a score and press Enter to go down. Leave a cell empty for not assessed, type E for excused. You can paste a column from a spreadsheet.',
  range: (maximum: string) => `Enter a score from 0 to ${maximum}.`,
  saved: 'All scores are saved.',
  saving: 'Saving…',
  waiting: (count: number) =>
    count === 1 ? '1 score is waiting for the network.' : `${count} scores are waiting for the network.`,
  refused: (count: number) => (count === 1 ? '1 score was not saved.' : `${count} scores were not saved.`),
  meanwhile: (theirs: string) => `Somebody entered ${theirs} meanwhile.`,
  nothing: 'nothing',
  mine: 'Keep mine',
  theirs: 'Keep theirs',
  submitted: 'Submitted',
  locked: 'Submitted results are changed by cancelling and amending them.',
  submit: 'Submit results…',
  submitTitle: 'Submit the results?',
  submitText: (count: number, open: number) =>
    `${count === 1 ? '1 result becomes' : `${count} results become`} official. ${open === 0 ? '' : open === 1 ? '1 student has no score yet and is left out. ' : `${open} students have no score yet and are left out. `}`,
  submitDone: (count: number) => (count === 1 ? '1 result submitted' : `${count} results submitted`),
  none: 'This plan has no students',
  noneText: 'The student group of this plan has no active students.',
  draft: 'Submit the assessment plan before you enter scores.',
  plan: 'Assessment plan',
}

export type GradeMessages = typeof english

const spanish: GradeMessages = {
  title: 'Hoja de calificaciones',
  student: 'Estudiante',
  total: 'Total',
  grade: 'Calificación',
  of: (maximum) => `sobre ${maximum}`,
  bonus: (maximum) => `sobre ${maximum}, se admite más`,
  cell: (criterion, student) => `${criterion}, ${student}`,
  hint: 'Escriba una nota y presione Intro para bajar. Deje la celda vacía si no fue evaluado y escriba E si está eximido. Puede pegar una columna de una hoja de cálculo.',
  range: (maximum) => `Ingrese una nota de 0 a ${maximum}.`,
  saved: 'Todas las notas están guardadas.',
  saving: 'Guardando…',
  waiting: (count) => (count === 1 ? '1 nota espera la conexión.' : `${count} notas esperan la conexión.`),
  refused: (count) => (count === 1 ? '1 nota no se guardó.' : `${count} notas no se guardaron.`),
  meanwhile: (theirs) => `Mientras tanto, otra persona ingresó ${theirs}.`,
  nothing: 'nada',
  mine: 'Conservar la mía',
  theirs: 'Conservar la otra',
  submitted: 'Confirmado',
  locked: 'Los resultados confirmados se corrigen al cancelarlos y rectificarlos.',
  submit: 'Confirmar resultados…',
  submitTitle: '¿Confirmar los resultados?',
  submitText: (count, open) =>
    `${count === 1 ? '1 resultado pasa' : `${count} resultados pasan`} a ser oficial${count === 1 ? '' : 'es'}. ${open === 0 ? '' : open === 1 ? '1 estudiante aún no tiene nota y queda fuera. ' : `${open} estudiantes aún no tienen nota y quedan fuera. `}`,
  submitDone: (count) => (count === 1 ? '1 resultado confirmado' : `${count} resultados confirmados`),
  none: 'Este plan no tiene estudiantes',
  noneText: 'El grupo de estudiantes de este plan no tiene estudiantes activos.',
  draft: 'Confirme el plan de evaluación antes de ingresar notas.',
  plan: 'Plan de evaluación',
}

const portuguese: GradeMessages = {
  title: 'Planilha de notas',
  student: 'Estudante',
  total: 'Total',
  grade: 'Conceito',
  of: (maximum) => `de ${maximum}`,
  bonus: (maximum) => `de ${maximum}, mais é permitido`,
  cell: (criterion, student) => `${criterion}, ${student}`,
  hint: 'Digite uma nota e pressione Enter para descer. Deixe a célula vazia se não foi avaliado e digite E se está dispensado. Você pode colar uma coluna de uma planilha.',
  range: (maximum) => `Digite uma nota de 0 a ${maximum}.`,
  saved: 'Todas as notas estão salvas.',
  saving: 'Salvando…',
  waiting: (count) => (count === 1 ? '1 nota aguarda a conexão.' : `${count} notas aguardam a conexão.`),
  refused: (count) => (count === 1 ? '1 nota não foi salva.' : `${count} notas não foram salvas.`),
  meanwhile: (theirs) => `Enquanto isso, outra pessoa lançou ${theirs}.`,
  nothing: 'nada',
  mine: 'Manter a minha',
  theirs: 'Manter a outra',
  submitted: 'Confirmado',
  locked: 'Resultados confirmados são corrigidos ao cancelá-los e retificá-los.',
  submit: 'Confirmar resultados…',
  submitTitle: 'Confirmar os resultados?',
  submitText: (count, open) =>
    `${count === 1 ? '1 resultado passa a ser oficial' : `${count} resultados passam a ser oficiais`}. ${open === 0 ? '' : open === 1 ? '1 estudante ainda não tem nota e fica de fora. ' : `${open} estudantes ainda não têm nota e ficam de fora. `}`,
  submitDone: (count) => (count === 1 ? '1 resultado confirmado' : `${count} resultados confirmados`),
  none: 'Este plano não tem estudantes',
  noneText: 'A turma deste plano não tem estudantes ativos.',
  draft: 'Confirme o plano de avaliação antes de lançar notas.',
  plan: 'Plano de avaliação',
}

/** The messages of the grade sheet by language. */
export const gradeMessages: Readonly<Record<Language, GradeMessages>> = {
  en: english,
  es: spanish,
  pt: portuguese,
}
