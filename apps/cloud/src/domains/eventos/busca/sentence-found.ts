/** A match of a rule in the folded words. */
export interface Found {
  readonly index: number
  readonly length: number
  readonly valor: string
  readonly ate?: string
}
