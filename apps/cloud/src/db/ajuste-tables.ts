/** Table of the bias that reviews give the verification. Times are epoch ms (UTC), as in tables.ts. */
export interface AjusteTables {
  ajustes: AjustesTable
}

/** Bias of one camera and IA with its inputs (packages/ias, review-bias.ts). */
interface AjustesTable {
  /** No foreign key: events outlive their camera, and so does a review of them. */
  camera_id: number
  ia: string
  /** Logit that verdicts add to their score; 0: none. */
  ajuste: number
  revisoes: number
  verdadeiros: number
  /** Sums of p and of p(1 - p), with p the probability that the verification gave without a bias. */
  esperados: number
  variancia: number
  /** Only later reviews count; null: all. */
  desde: number | null
  calculado_em: number
}
