/**
 * The classes of errors of the Resource and Method API with the status that each is answered with. Clients tell
 * refusals apart by the class (`exc_type`), so the names are those of Frappe v15, for which the clients were written.
 */
export const recordErrors = {
  CSRFTokenError: 400,
  InvalidAuthorizationHeader: 400,
  InvalidAuthorizationPrefix: 400,
  InvalidAuthorizationToken: 400,
  /** The body cannot be parsed in the media type that it is sent as. */
  JSONDecodeError: 400,
  AuthenticationError: 401,
  SessionExpired: 401,
  InvalidKeyError: 401,
  PermissionError: 403,
  DoesNotExistError: 404,
  PageDoesNotExistError: 404,
  MethodNotAllowed: 405,
  RequestTimeout: 408,
  NameError: 409,
  DuplicateEntryError: 409,
  LinkExpired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  ValidationError: 417,
  MandatoryError: 417,
  LinkValidationError: 417,
  CancelledLinkError: 417,
  LinkExistsError: 417,
  UniqueValidationError: 417,
  DataError: 417,
  TimestampMismatchError: 417,
  UpdateAfterSubmitError: 417,
  DocstatusTransitionError: 417,
  CannotChangeConstantError: 417,
  CharacterLengthExceededError: 417,
  NonNegativeError: 417,
  InvalidEmailAddressError: 417,
  InvalidPhoneNumberError: 417,
  InvalidNameError: 417,
  InvalidDates: 417,
  InvalidStatusError: 417,
  EmptyTableError: 417,
  DocumentLockedError: 417,
  AttachmentLimitReached: 417,
  MappingMismatchError: 417,
  OverlapError: 417,
  StudentNotInGroupError: 417,
  /** An argument is missing or of the wrong type; the message names it. */
  FrappeTypeError: 417,
  TooManyRequestsError: 429,
  RateLimitExceededError: 429,
  /** A log-in that has to wait after too many failures. */
  SecurityException: 429,
  /** The service failed; the response has no internal details. */
  InternalError: 500,
  SessionStopped: 503,
} as const

export type RecordErrorType = keyof typeof recordErrors
