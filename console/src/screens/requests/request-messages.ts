import type { Language } from '../../messages/messages.tsx'

const english = {
  ask: 'Request documents…',
  whom: 'Recipients',
  students: 'Students',
  applications: 'Applications',
  add: 'Add by name',
  inStatus: 'Add everyone with a status',
  addAll: 'Add',
  remove: (who: string) => `Remove ${who}`,
  nothing: 'No results',
  what: 'Documents to request',
  missing: 'Each person’s missing documents',
  chosen: 'Selected documents',
  language: 'E-mail language',
  institution: 'The family’s language, or the institution’s if unknown',
  message: 'Message to the family (optional)',
  look: 'Preview recipients',
  people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  mostNamed: (max: number) =>
    `You can add up to ${max} people by name. To add more, select them in a filtered list or by status.`,
  byName: 'Add by name instead',
  byMail: (count: number) =>
    count === 0
      ? 'No requests will be e-mailed.'
      : count === 1
        ? '1 request will be e-mailed.'
        : `${count} requests will be e-mailed.`,
  completeOf: (count: number) => `${count} complete, skipped.`,
  alreadyOf: (count: number) => `${count} already requested, skipped.`,
  unreachedOf: (count: number) =>
    count === 1
      ? '1 has no e-mail address. Copy the link and share it yourself.'
      : `${count} have no e-mail address. Copy their links and share them yourself.`,
  links: (count: number) => `Show those without an e-mail address (${count})`,
  further: (count: number) => `And ${count} more.`,
  byItself: 'This continues if you close the page.',
  already: 'Already requested, skipped',
  nobody: 'Add at least one recipient.',
  noDocuments: 'Choose at least one document.',
  mailIn: (language: string) => `E-mails are sent in ${language}.`,
  about: 'Person',
  to: 'E-mail to',
  noAddress: 'No e-mail address. Share the link yourself',
  asks: 'Requested documents',
  complete: 'Complete, skipped',
  send: (count: number) => (count === 1 ? 'Send 1 request' : `Send ${count} requests`),
  sendRest: (count: number) => `Retry ${count}`,
  change: 'Change',
  result: 'Result',
  asked: 'Request e-mailed',
  copy: 'Copy link',
  copied: 'Link copied',
  sent: (done: number, all: number) => `${done} of ${all} requests sent`,
  interrupted: (count: number) =>
    `Sending ${count} requests was interrupted. Resume to send the rest. Nobody gets a second request.`,
  goOn: 'Resume',
  forget: 'Discard',
  see: 'View requests',
  status: 'Status',
  any: 'All',
  empty: 'No document requests yet',
  emptyHow: 'Request documents from families. They upload them on their own page, and you follow the progress here.',
  opened: 'Opened by the family',
  unopened: 'Not opened yet',
  handedIn: 'Family marked as finished',
  until: (day: string) => `until ${day}`,
  remind: 'Send reminder',
  reminded: (who: string) => `${who}: reminder sent`,
  remindAll: (count: number) => `Send reminders (${count} open)`,
  remindTitle: 'Send reminders?',
  remindText: (count: number, without: number) =>
    `${count === 1 ? '1 family gets' : `${count} families get`} the e-mail with the link again.${
      without > 0 ? ` ${without} without an e-mail address will be skipped.` : ''
    }`,
  remindedAll: (done: number, all: number) => `${done} of ${all} reminders sent`,
  revoke: 'Revoke…',
  revokeOf: (who: string) => `Revoke the request for ${who}…`,
  revokeText: 'The family’s link stops working. Documents already received are kept.',
  reason: 'Reason (visible to staff only)',
  revoked: 'Revoked',
  of: (done: number, all: number) => `${done} of ${all} accepted`,
  statuses: {
    open: 'Open',
    partially_completed: 'Partially complete',
    completed: 'Complete',
    expired: 'Expired',
    revoked: 'Revoked',
  },
  items: { pending: 'Missing', uploaded: 'Received', accepted: 'Accepted', rejected: 'Rejected' },
}

export type RequestMessages = typeof english

const spanish: RequestMessages = {
  ask: 'Solicitar documentos…',
  whom: 'Destinatarios',
  students: 'Estudiantes',
  applications: 'Solicitudes',
  add: 'Agregar por nombre',
  inStatus: 'Agregar a todos los que tengan un estado',
  addAll: 'Agregar',
  remove: (who) => `Quitar a ${who}`,
  nothing: 'Sin resultados',
  what: 'Documentos por solicitar',
  missing: 'Los documentos que falten a cada persona',
  chosen: 'Documentos seleccionados',
  language: 'Idioma del correo',
  institution: 'El de la familia o, si se desconoce, el de la institución',
  message: 'Mensaje para la familia (opcional)',
  look: 'Vista previa de destinatarios',
  people: (count) => (count === 1 ? '1 persona' : `${count} personas`),
  mostNamed: (max) =>
    `Puede agregar hasta ${max} personas por nombre. Para agregar más, selecciónelas en una lista con filtros o por estado.`,
  byName: 'Agregar por nombre',
  byMail: (count) =>
    count === 0
      ? 'No se enviará ninguna solicitud por correo.'
      : count === 1
        ? 'Se enviará 1 solicitud por correo.'
        : `Se enviarán ${count} solicitudes por correo.`,
  completeOf: (count) => (count === 1 ? '1 completo, se omite.' : `${count} completos, se omiten.`),
  alreadyOf: (count) => (count === 1 ? '1 ya solicitado, se omite.' : `${count} ya solicitados, se omiten.`),
  unreachedOf: (count) =>
    count === 1
      ? '1 no tiene correo electrónico. Copie el enlace y compártalo usted.'
      : `${count} no tienen correo electrónico. Copie sus enlaces y compártalos usted.`,
  links: (count) => `Ver los que no tienen correo electrónico (${count})`,
  further: (count) => `Y ${count} más.`,
  byItself: 'Esto continúa aunque cierre la página.',
  already: 'Ya solicitado, se omite',
  nobody: 'Agregue al menos un destinatario.',
  noDocuments: 'Elija al menos un documento.',
  mailIn: (language) => `Los correos se envían en ${language}.`,
  about: 'Persona',
  to: 'Correo para',
  noAddress: 'Sin correo electrónico. Comparta usted el enlace',
  asks: 'Documentos solicitados',
  complete: 'Completo, se omite',
  send: (count) => (count === 1 ? 'Enviar 1 solicitud' : `Enviar ${count} solicitudes`),
  sendRest: (count) => `Reintentar ${count}`,
  change: 'Cambiar',
  result: 'Resultado',
  asked: 'Solicitud enviada por correo',
  copy: 'Copiar enlace',
  copied: 'Enlace copiado',
  sent: (done, all) => `${done} de ${all} solicitudes enviadas`,
  interrupted: (count) =>
    `El envío de ${count} solicitudes se interrumpió. Reanúdelo para enviar las restantes. Nadie recibirá una segunda solicitud.`,
  goOn: 'Reanudar',
  forget: 'Descartar',
  see: 'Ver solicitudes',
  status: 'Estado',
  any: 'Todos',
  empty: 'Todavía no hay solicitudes de documentos',
  emptyHow: 'Solicite documentos a las familias. Los suben en su propia página y aquí puede seguir el avance.',
  opened: 'Abierta por la familia',
  unopened: 'Aún sin abrir',
  handedIn: 'La familia indicó que terminó',
  until: (day) => `hasta el ${day}`,
  remind: 'Enviar recordatorio',
  reminded: (who) => `${who}: recordatorio enviado`,
  remindAll: (count) => (count === 1 ? 'Enviar recordatorios (1 abierta)' : `Enviar recordatorios (${count} abiertas)`),
  remindTitle: '¿Enviar recordatorios?',
  remindText: (count, without) =>
    `${count === 1 ? '1 familia recibirá' : `${count} familias recibirán`} de nuevo el correo con el enlace.${
      without > 0 ? ` Se omitirán ${without} sin correo electrónico.` : ''
    }`,
  remindedAll: (done, all) => `${done} de ${all} recordatorios enviados`,
  revoke: 'Anular…',
  revokeOf: (who) => `Anular la solicitud de ${who}…`,
  revokeText: 'El enlace de la familia dejará de funcionar. Los documentos ya recibidos se conservan.',
  reason: 'Motivo (solo lo ve el personal)',
  revoked: 'Solicitud anulada',
  of: (done, all) => `${done} de ${all} aceptados`,
  statuses: {
    open: 'Abierta',
    partially_completed: 'Parcialmente completa',
    completed: 'Completa',
    expired: 'Vencida',
    revoked: 'Anulada',
  },
  items: { pending: 'Falta', uploaded: 'Recibido', accepted: 'Aceptado', rejected: 'Rechazado' },
}

const portuguese: RequestMessages = {
  ask: 'Solicitar documentos…',
  whom: 'Destinatários',
  students: 'Alunos',
  applications: 'Inscrições',
  add: 'Adicionar por nome',
  inStatus: 'Adicionar todos com uma situação',
  addAll: 'Adicionar',
  remove: (who) => `Remover ${who}`,
  nothing: 'Nenhum resultado',
  what: 'Documentos a solicitar',
  missing: 'Documentos que faltam de cada pessoa',
  chosen: 'Documentos selecionados',
  language: 'Idioma do e-mail',
  institution: 'O da família ou, se não for conhecido, o da instituição',
  message: 'Mensagem para a família (opcional)',
  look: 'Pré-visualizar destinatários',
  people: (count) => (count === 1 ? '1 pessoa' : `${count} pessoas`),
  mostNamed: (max) =>
    `Você pode adicionar até ${max} pessoas pelo nome. Para adicionar mais, selecione-as em uma lista com filtros ou pela situação.`,
  byName: 'Adicionar por nome',
  byMail: (count) =>
    count === 0
      ? 'Nenhuma solicitação será enviada por e-mail.'
      : count === 1
        ? '1 solicitação será enviada por e-mail.'
        : `${count} solicitações serão enviadas por e-mail.`,
  completeOf: (count) => (count === 1 ? '1 completo, será ignorado.' : `${count} completos, serão ignorados.`),
  alreadyOf: (count) => (count === 1 ? '1 já solicitado, será ignorado.' : `${count} já solicitados, serão ignorados.`),
  unreachedOf: (count) =>
    count === 1
      ? '1 não tem e-mail. Copie o link e compartilhe-o você mesmo.'
      : `${count} não têm e-mail. Copie os links e compartilhe-os você mesmo.`,
  links: (count) => `Ver os que não têm e-mail (${count})`,
  further: (count) => `E mais ${count}.`,
  byItself: 'Isto continua mesmo que você feche a página.',
  already: 'Já solicitado, será ignorado',
  nobody: 'Adicione pelo menos um destinatário.',
  noDocuments: 'Escolha pelo menos um documento.',
  mailIn: (language) => `Os e-mails são enviados em ${language}.`,
  about: 'Pessoa',
  to: 'E-mail para',
  noAddress: 'Sem e-mail. Compartilhe o link você mesmo',
  asks: 'Documentos solicitados',
  complete: 'Completo, será ignorado',
  send: (count) => (count === 1 ? 'Enviar 1 solicitação' : `Enviar ${count} solicitações`),
  sendRest: (count) => `Repetir ${count}`,
  change: 'Alterar',
  result: 'Resultado',
  asked: 'Solicitação enviada por e-mail',
  copy: 'Copiar link',
  copied: 'Link copiado',
  sent: (done, all) => `${done} de ${all} solicitações enviadas`,
  interrupted: (count) =>
    `O envio de ${count} solicitações foi interrompido. Retome para enviar as restantes. Ninguém receberá uma segunda solicitação.`,
  goOn: 'Retomar',
  forget: 'Descartar',
  see: 'Ver solicitações',
  status: 'Situação',
  any: 'Todas',
  empty: 'Ainda não há solicitações de documentos',
  emptyHow: 'Solicite documentos às famílias. Elas os enviam em uma página própria, e você acompanha o andamento aqui.',
  opened: 'Aberta pela família',
  unopened: 'Ainda não aberta',
  handedIn: 'A família indicou que terminou',
  until: (day) => `até ${day}`,
  remind: 'Enviar lembrete',
  reminded: (who) => `${who}: lembrete enviado`,
  remindAll: (count) => (count === 1 ? 'Enviar lembretes (1 aberta)' : `Enviar lembretes (${count} abertas)`),
  remindTitle: 'Enviar lembretes?',
  remindText: (count, without) =>
    `${count === 1 ? '1 família receberá' : `${count} famílias receberão`} de novo o e-mail com o link.${
      without > 0 ? ` ${without} sem e-mail não serão incluídas.` : ''
    }`,
  remindedAll: (done, all) => `${done} de ${all} lembretes enviados`,
  revoke: 'Cancelar solicitação…',
  revokeOf: (who) => `Cancelar a solicitação de ${who}…`,
  revokeText: 'O link da família deixará de funcionar. Os documentos já recebidos são mantidos.',
  reason: 'Motivo (visível somente para a equipe)',
  revoked: 'Solicitação cancelada',
  of: (done, all) => `${done} de ${all} aceitos`,
  statuses: {
    open: 'Aberta',
    partially_completed: 'Parcialmente completa',
    completed: 'Completa',
    expired: 'Expirada',
    revoked: 'Cancelada',
  },
  items: { pending: 'Falta', uploaded: 'Recebido', accepted: 'Aceito', rejected: 'Rejeitado' },
}

/** The messages of document requests, loaded with their screens. */
export const requestMessages: Readonly<Record<Language, RequestMessages>> = { en: english, es: spanish, pt: portuguese }
