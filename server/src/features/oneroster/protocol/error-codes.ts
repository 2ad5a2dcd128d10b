/** The minor codes of OneRoster's errors that are used, each with its status. */
export const getCodeStatus = {
  unauthorisedrequest: 401,
  forbidden: 403,
  unknownobject: 404,
  invaliddata: 422,
  invalid_filter_field: 400,
  invalid_selection_field: 400,
  server_busy: 429,
  internal_server_error: 500,
} as const

export type OneRosterErrorCode = keyof typeof getCodeStatus
