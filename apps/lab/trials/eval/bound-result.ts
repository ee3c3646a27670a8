export interface BoundResult {
  readonly nome: string
  readonly limite: string
  readonly valor: string
  readonly ok: boolean
}
