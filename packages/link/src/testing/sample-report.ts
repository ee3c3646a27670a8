import type { Relato } from '@vigia/contracts/edge-state'

/** A report of an edge without cameras and without measurements, with `change`. */
export const sampleReport = (change: Partial<Relato> = {}): Relato => ({
  v: 1,
  config_versao: 1,
  versao: '0.1.0',
  instancia: '0197a000-0000-4000-8000-000000000001',
  enviado_em: Date.now(),
  relogio: { desvio_ms: 0, sincronizado: true },
  certificado: { sha256: '00'.repeat(32), vence_em: Date.now() + 86_400_000 },
  cameras: [],
  fila: 0,
  fila_memoria: 0,
  disco_gravavel: true,
  disco: null,
  memoria: null,
  cpu: null,
  temperatura: null,
  ...change,
})
