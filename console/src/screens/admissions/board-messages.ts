// Generated from console/messages/board.*.json by npm run generate; do not edit.
import type { Language } from '../../messages/messages.tsx'

const enNumber = new Intl.NumberFormat('en')
const en = {
views: "View",
board: "Board",
table: "Table",
funnel: "Funnel",
applicant: "Applicant",
waits: "Time in stage",
documents: "Documents",
move: "Move",
stage: "Stage",
here: "Currently",
came: "Reached",
stay: "Median time in stage",
share: (stage: string, percent: string) => `${stage}: ${percent} of all`,
further: (count: number) => `Show ${enNumber.format(count)} more`,
ask: "Request documents…",
askAll: (status: string) => `Request documents from all in ${status}…`,
hint: "Press Space to pick up, arrow keys to choose a status, Space to drop, Escape to cancel.",
held: (who: string, status: string) => `${who} picked up from ${status}. Press arrow keys to choose a status, Space to drop, Escape to cancel.`,
over: (status: string, at: number, of: number) => `${status}, ${enNumber.format(at)} of ${enNumber.format(of)}. Press Space to drop.`,
overNot: (status: string, why: string) => `${status}: ${why}`,
gaveUp: (who: string, status: string) => `Cancelled. ${who} stays in ${status}.`,
closed: "this status is no longer in use",
notFrom: (from: string, to: string) => `from ${from} you can move to: ${to}`,
nowhere: "no other status",
not: (from: string) => `not possible from ${from}`,
lacks: (who: string, status: string, documents: string) => `${who} cannot be moved to ${status}. Missing: ${documents}`,
}

const esNumber = new Intl.NumberFormat('es')
const es: ScreenMessages = {
views: "Vista",
board: "Tablero",
table: "Tabla",
funnel: "Embudo",
applicant: "Solicitante",
waits: "Tiempo en la etapa",
documents: "Documentos",
move: "Mover",
stage: "Etapa",
here: "Actualmente",
came: "Alcanzaron",
stay: "Mediana en la etapa",
share: (stage: string, percent: string) => `${stage}: ${percent} de todos`,
further: (count: number) => `Mostrar ${esNumber.format(count)} más`,
ask: "Solicitar documentos…",
askAll: (status: string) => `Solicitar documentos a todos en ${status}…`,
hint: "Pulse Espacio para tomarla, las flechas para elegir un estado, Espacio para soltarla y Escape para cancelar.",
held: (who: string, status: string) => `${who}: tomada de ${status}. Elija un estado con las flechas, suelte con Espacio o cancele con Escape.`,
over: (status: string, at: number, of: number) => `${status}, ${esNumber.format(at)} de ${esNumber.format(of)}. Pulse Espacio para soltarla.`,
overNot: (status: string, why: string) => `${status}: ${why}.`,
gaveUp: (who: string, status: string) => `Cancelado. ${who} se queda en ${status}.`,
closed: "este estado ya no se usa",
notFrom: (from: string, to: string) => `desde ${from} se puede pasar a: ${to}`,
nowhere: "ningún otro estado",
not: (from: string) => `no es posible desde ${from}`,
lacks: (who: string, status: string, documents: string) => `${who} no puede pasar a ${status}. Falta: ${documents}`,
}

const ptNumber = new Intl.NumberFormat('pt')
const pt: ScreenMessages = {
views: "Visão",
board: "Quadro",
table: "Tabela",
funnel: "Funil",
applicant: "Candidato",
waits: "Tempo na etapa",
documents: "Documentos",
move: "Mover",
stage: "Etapa",
here: "Atualmente",
came: "Alcançaram",
stay: "Mediana na etapa",
share: (stage: string, percent: string) => `${stage}: ${percent} de todos`,
further: (count: number) => `Mostrar mais ${ptNumber.format(count)}`,
ask: "Solicitar documentos…",
askAll: (status: string) => `Solicitar documentos de todos em ${status}…`,
hint: "Pressione Espaço para pegar, as setas para escolher uma situação, Espaço para soltar e Escape para cancelar.",
held: (who: string, status: string) => `${who}: retirada de ${status}. Escolha uma situação com as setas, solte com Espaço ou cancele com Escape.`,
over: (status: string, at: number, of: number) => `${status}, ${ptNumber.format(at)} de ${ptNumber.format(of)}. Pressione Espaço para soltar.`,
overNot: (status: string, why: string) => `${status}: ${why}.`,
gaveUp: (who: string, status: string) => `Cancelado. ${who} permanece em ${status}.`,
closed: "esta situação não é mais usada",
notFrom: (from: string, to: string) => `de ${from} é possível passar para: ${to}`,
nowhere: "nenhuma outra situação",
not: (from: string) => `não é possível a partir de ${from}`,
lacks: (who: string, status: string, documents: string) => `${who} não pode passar para ${status}. Falta: ${documents}`,
}

type ScreenMessages = typeof en

/** The messages of the board screen, by language. */
export const boardMessages: Readonly<Record<Language, ScreenMessages>> = { en, es, pt }
