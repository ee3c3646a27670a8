/** A compiled statement for the worker thread; its answers arrive in the order of the statements. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export type StatementAnswer =
  | { readonly rows: readonly unknown[] }
  | { readonly falha: { readonly message: string; readonly code: string } }
