/** What the operations of documents, their requirements and their requests have in common. */
export const vault = {
  tag: 'Vault',
  modules: ['platform_integrations', 'staff_vault'],
  domain: null,
} as const
