/** What somebody showed to log in. */
export type ShownProof = 'password' | 'link' | 'issuer' | 'code' | 'passkey'

/** Everything that the public pages and the mails say in one language. A catalogue that lacks a phrase does not compile. */
export interface Messages {
  /** What the language calls itself. */
  readonly name: string
  readonly page: {
    readonly skip: string
    readonly language: string
    readonly required: string
    readonly optional: string
    readonly print: string
    readonly problems: (count: number) => string
    readonly errorPrefix: string
  }
  readonly request: {
    readonly greeting: (firstName: string) => string
    readonly fallbackTitle: string
    readonly intro: string
    readonly openUntil: (day: string) => string
    readonly documents: string
    readonly progress: (done: number, required: number) => string
    readonly states: Readonly<Record<'pending' | 'uploaded' | 'accepted' | 'rejected', string>>
    /** The state of a document that is not required and was not sent. */
    readonly notSent: string
    readonly reason: (reason: string) => string
    readonly file: (name: string) => string
    readonly limits: (types: string, size: string) => string
    readonly choose: (label: string) => string
    readonly photo: (label: string) => string
    readonly chooseShort: string
    readonly photoShort: string
    readonly send: string
    readonly replace: string
    readonly remove: string
    readonly finish: string
    readonly finishHint: string
    readonly submit: string
    readonly missing: (labels: string) => string
    readonly submitted: (moment: string) => string
    readonly seeReceipt: string
    readonly questions: (contact: string) => string
  }
  readonly receipt: {
    readonly title: string
    readonly thanks: (firstName: string, institution: string) => string
    readonly received: (moment: string) => string
    readonly documents: string
    readonly next: string
    readonly back: string
    readonly reference: (reference: string) => string
  }
  readonly form: {
    readonly intro: string
    readonly forWhom: (name: string) => string
    readonly onlyIf: (label: string, value: string) => string
    readonly onlyIfNot: (label: string, value: string) => string
    readonly onlyIfAnswered: (label: string) => string
    readonly onlyIfEmpty: (label: string) => string
    readonly onlyIfItApplies: string
    readonly choose: string
    readonly yes: string
    readonly no: string
    readonly signature: string
    readonly send: string
    readonly receiptTitle: string
    readonly thanks: (institution: string) => string
    readonly chooseFilesAgain: string
    /** Saving what was filled in so far, and coming back to it. */
    readonly save: string
    readonly saved: string
    readonly savedUntil: (day: string) => string
    readonly goOnLink: string
    readonly goOnHere: string
    readonly mailLink: string
    readonly linkMailed: string
    readonly notMailed: string
    readonly notSaved: string
    readonly keptFile: (name: string) => string
    readonly removeFile: (name: string) => string
  }
  /** Pages on which people log in and set their password. */
  readonly account: {
    readonly logIn: string
    readonly logOut: string
    readonly email: string
    readonly password: string
    readonly wrong: string
    readonly disabled: string
    readonly wait: (seconds: string) => string
    readonly busy: (seconds: string) => string
    readonly forgot: string
    readonly forgotHint: string
    readonly sendLink: string
    readonly linkSent: (minutes: number) => string
    readonly noMail: (institution: string) => string
    readonly linkOver: string
    readonly newPassword: string
    readonly oldPassword: string
    readonly again: string
    readonly length: (min: number, max: number) => string
    readonly different: string
    readonly wrongOldPassword: string
    readonly setPassword: string
    readonly isSet: string
    readonly loggedInAs: (name: string, user: string) => string
    readonly changePassword: string
    readonly nowhere: string
  }
  /** The ways to log in, and where somebody is logged in. */
  readonly signIn: {
    readonly title: string
    readonly sessions: string
    readonly here: string
    readonly since: (moment: string) => string
    readonly lastSeen: (moment: string) => string
    readonly from: (network: string) => string
    /** What was shown to log in. */
    readonly by: Readonly<Record<ShownProof, string>>
    readonly unknownBrowser: string
    readonly onSystem: (browser: string, system: string) => string
    readonly end: string
    readonly endOthers: string
    readonly ended: string
    readonly codes: string
    readonly codesOff: string
    readonly codesOn: (moment: string) => string
    readonly recoveryLeft: (count: number) => string
    readonly setUpCodes: string
    readonly setUpAgain: string
    readonly removeCodes: string
    readonly scan: string
    readonly orType: string
    readonly picture: string
    readonly code: string
    readonly turnOn: string
    readonly askCode: string
    readonly askCodeHelp: string
    readonly goOn: string
    /** Where an institution requires more than a password. */
    readonly required: (institution: string) => string
    readonly requiredHelp: (institution: string) => string
    readonly wrongCode: string
    readonly recovery: string
    readonly recoveryHelp: string
    readonly kept: string
    readonly accounts: string
    readonly noAccounts: string
    readonly linked: (moment: string) => string
    readonly unlink: string
    /** Of an issuer whose account somebody took away, and what lets it be linked again. */
    readonly removed: string
    readonly allow: string
    /** Above the code that taking codes away asks for, or setting them up anew. */
    readonly codeFirst: string
    readonly freshFirst: string
    readonly logInAgain: string
    readonly back: string
    readonly with: (issuer: string) => string
    readonly or: string
    /** Why an account at an issuer opened nothing. */
    readonly faults: Readonly<
      Record<
        'over' | 'unreachable' | 'faulty' | 'refused' | 'unverified' | 'unknown' | 'otherAccount' | 'removed',
        string
      >
    >
  }
  /** What a device opens for whoever unlocks it, instead of a password. */
  readonly passkeys: {
    readonly title: string
    readonly about: string
    readonly none: string
    readonly add: string
    readonly nameOf: string
    readonly nameHelp: string
    readonly unused: string
    readonly logIn: string
    readonly use: string
    /** Where there is no script, or the browser has no passkeys. */
    readonly unavailable: string
    /** What the script says where the device made or gave none. */
    readonly script: { readonly cancelled: string; readonly known: string }
    readonly faults: Readonly<Record<'over' | 'unknown' | 'refused' | 'known' | 'full' | 'insecure', string>>
  }
  /** Mails, in plain text. */
  readonly mails: {
    readonly greeting: (name: string) => string
    readonly request: {
      /** The title of a request that brings none. It names nobody, because the public page shows it. */
      readonly title: string
      readonly asks: (institution: string) => string
      readonly optional: string
      readonly handIn: (until: string) => string
      readonly secret: string
    }
    /** What says that something was received; the words of the page's receipt go with it. */
    readonly receipt: {
      readonly documents: (institution: string) => string
      readonly form: (institution: string, form: string) => string
      readonly keep: string
    }
    /** What brings the link to what somebody saved of a form. */
    readonly draft: {
      readonly subject: (institution: string) => string
      readonly goOn: (institution: string, form: string) => string
      readonly until: (day: string) => string
      readonly secret: string
    }
    readonly reset: PasswordMail
    readonly welcome: PasswordMail
    /** To somebody whose ways to log in have changed. */
    readonly signIn: {
      readonly subject: (institution: string) => string
      readonly added: (institution: string) => string
      readonly removed: (institution: string) => string
      /** The account is no more that of a student, a guardian or a member of the staff. */
      readonly unlinkedSubject: (institution: string) => string
      readonly unlinked: (institution: string) => string
      readonly look: string
      readonly advice: (institution: string) => string
    }
    /** To an e-mail address that is no longer on record for a person without an account. */
    readonly address: {
      readonly subject: (institution: string) => string
      readonly replaced: (institution: string) => string
      readonly advice: (institution: string) => string
    }
    /** To a student and the guardians: a place of a group is free for the student until a day (`YYYY-MM-DD`). */
    readonly place: {
      readonly subject: (institution: string, group: string) => string
      readonly offered: (student: string, group: string, day: string) => string
      readonly advice: (institution: string) => string
    }
    /** To a payer, of what is overdue. */
    readonly dunning: {
      readonly subject: (institution: string, amount: string) => string
      readonly overdue: (name: string, amount: string, day: string) => string
      readonly item: (description: string, amount: string, day: string, reference: string) => string
      readonly fee: (amount: string) => string
      /** What the payment of the fee is called. */
      readonly feeOf: (level: number) => string
      readonly advice: (institution: string) => string
    }
    /** To administrators, of an address of theirs that events go to; of it the host alone is named, because the rest may be a secret. */
    readonly webhook: {
      readonly subject: (institution: string, host: string) => string
      readonly failing: (host: string) => string
      readonly gone: (host: string) => string
      readonly advice: string
    }
  }
  /** Pages that say why there is nothing else to see. */
  /** What is printed for payers. */
  readonly letters: {
    readonly receipt: string
    readonly reversedReceipt: string
    readonly statement: string
    readonly reminder: string
    readonly invoice: string
    readonly cancelledInvoice: string
    readonly payout: string
    readonly reversedPayout: string
    readonly chargedItems: string
    readonly creditedItems: string
    readonly open: string
    readonly paidInFull: string
    readonly reason: string
    readonly total: string
    readonly number: string
    readonly receivedOn: string
    readonly account: string
    readonly method: string
    readonly reference: string
    readonly amount: string
    readonly paidItems: string
    readonly openItems: string
    readonly student: string
    readonly credit: string
    readonly methods: Readonly<Record<PaymentMethod, string>>
    readonly period: (from: string, to: string) => string
    readonly balance: string
    readonly date: string
    readonly document: string
    readonly charged: string
    readonly settled: string
    readonly kinds: Readonly<Record<DocumentKind, string>>
    readonly openingBalance: string
    readonly closingBalance: string
    readonly dueOn: string
    readonly transfer: string
    readonly recipient: string
    readonly page: (page: number, count: number) => string
  }
  readonly closed: Readonly<Record<ClosedReason, { readonly title: string; readonly text: string }>> & {
    readonly ask: (institution: string) => string
    readonly askContact: (contact: string) => string
    readonly askNobody: string
    readonly wait: (seconds: string) => string
  }
  /** Why an upload or a submission was refused. */
  readonly faults: {
    readonly noFile: string
    readonly type: (allowed: string) => string
    readonly otherContent: string
    readonly tooLarge: (size: string) => string
    readonly empty: string
    readonly infected: string
    readonly interrupted: string
    readonly unreadable: string
    readonly incomplete: (labels: string) => string
    readonly formChanged: string
    readonly noLongerOpen: string
    readonly unavailable: string
    readonly tooMany: string
    readonly otherSite: string
    readonly failed: string
  }
  /** What is wrong with an answer of a form. */
  readonly answers: {
    readonly required: string
    readonly number: string
    readonly date: string
    readonly email: string
    readonly phone: string
    readonly choice: string
    readonly tooShort: (min: number) => string
    readonly tooLong: (max: number) => string
    readonly tooSmall: (min: string) => string
    readonly tooLarge: (max: string) => string
    readonly tooEarly: (day: string) => string
    readonly tooLate: (day: string) => string
    readonly tooFew: (min: number) => string
    readonly tooMany: (max: number) => string
    readonly pattern: string
    readonly text: string
    readonly invalid: string
  }
  /** The types of documents that an institution starts with, by their keys. */
  readonly documentTypes: Readonly<Record<DocumentTypeKey, string>>
  /** What the script says, with names in braces for what it puts in. */
  readonly script: Readonly<Record<ScriptPhrase, string>>
}

/** A mail with a link to a page on which somebody sets a password. */
export interface PasswordMail {
  readonly subject: (institution: string) => string
  readonly reason: (institution: string) => string
  /** What the link is for, and for how many minutes or hours it works. */
  readonly set: (time: number) => string
  readonly advice: string
}

export type DocumentTypeKey =
  | 'identity_document'
  | 'photo'
  | 'transcript'
  | 'diploma'
  | 'birth_certificate'
  | 'proof_of_payment'
  | 'medical_record'
  | 'other'

/** How money came in. */
export type PaymentMethod = 'cash' | 'transfer' | 'card' | 'cheque' | 'direct_debit' | 'credit' | 'other'

/** What stands on the account of a payer. */
export type DocumentKind =
  | 'invoice'
  | 'receipt'
  | 'reversal'
  | 'credit_note'
  | 'write_off'
  | 'cancellation'
  | 'payout'
  | 'payout_reversal'

export type ClosedReason = 'expired' | 'revoked' | 'unknown' | 'too_many_requests' | 'unavailable' | 'refused'

export type ScriptPhrase =
  | 'drop'
  | 'sending'
  | 'sent'
  | 'checking'
  | 'cancel'
  | 'cancelled'
  | 'retrying'
  | 'again'
  | 'lost'
  | 'removeLost'
  | 'submitLost'
  | 'arrived'
  | 'saved'
  | 'formLost'
  | 'wrongType'
  | 'tooLarge'
  | 'empty'
  | 'onlyOne'
  | 'failed'
  | 'changed'
