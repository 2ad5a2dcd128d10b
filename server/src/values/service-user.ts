/**
 * The user whom records of the Resource and Method API name as the one who made or changed them, where it was none of its
 * users: a key of the Client API, an operator, or the service itself.
 */
export const serviceUser = 'Administrator'
