/** Goes to the control of a field in place of following a link. */
export function focusField(event: { preventDefault(): void }, field: string): void {
  event.preventDefault()
  document.getElementById(`field-${field}`)?.focus()
}
