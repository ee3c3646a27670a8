import { describe, expect, it } from 'vitest'
import { edgeAdvice } from './edge-advice.ts'

const NOW = Date.parse('2026-11-21T13:00:00Z')
const MINUTE = 60_000
const DAY = 86_400_000
type Row = Parameters<typeof edgeAdvice>[0]
type Report = NonNullable<Parameters<typeof edgeAdvice>[1]>

const row: Row = {
  id: 1,
  nome: 'Caixa',
  empresa_id: 1,
  local: 0,
  codigo_hash: null,
  codigo_anterior_hash: null,
  codigo_expira_em: null,
  ativado_em: NOW - DAY,
  chave_cifra_json: '{}',
  desejado_versao: 3,
  presente: 1,
  desvio_central_ms: null,
  desvio_em: null,
  visto_em: NOW - 1000,
  relato_json: null,
  limite_reenvio_kbps: null,
  gravacao_continua_mb: null,
  instancia: null,
  instancia_anterior: null,
  duplicado_em: null,
  dono: null,
  dono_epoca: 0,
  desejado_grande_bytes: null,
  varrido_em: null,
  criado_em: 1,
  fuso_horario: 'America/Manaus',
  cameras: 0,
  certificado_vence_em: NOW + 800 * DAY,
}
const report: Report = {
  v: 1,
  config_versao: 3,
  versao: '0.1.0',
  instancia: '0197a000-0000-7000-8000-000000000002',
  enviado_em: NOW,
  relogio: { desvio_ms: 20, sincronizado: true },
  certificado: { sha256: '00'.repeat(32), vence_em: NOW + 800 * DAY },
  fila: 0,
  fila_memoria: 0,
  disco_gravavel: true,
  disco: { total: 100, livre: 40 },
  memoria: null,
  cpu: null,
  temperatura: null,
}
const advice = (change: Partial<Row>, reported: Partial<Report> | null = {}) =>
  edgeAdvice({ ...row, ...change }, reported && { ...report, ...reported }, NOW)

describe('the advice for an edge', () => {
  it('is null for an edge without problems', () => {
    expect(advice({})).toBeNull()
    expect(advice({}, null)).toBeNull()
  })

  it.each<[string, Partial<Row>, string]>([
    ['a code that waits', { ativado_em: null, codigo_expira_em: NOW + DAY }, 'na caixa até 22/11/2026, 09:00.'],
    ['a code that ran out', { ativado_em: null, codigo_expira_em: NOW }, 'Gere um código novo'],
    ['the local edge', { ativado_em: null, local: 1 }, 'ela se ativa sozinha'],
    ['an edge that never came', { presente: 0, visto_em: null }, 'ainda não se conectou'],
    ['one that is gone', { presente: 0, visto_em: NOW - 65 * MINUTE }, 'Sem contato desde 21/11/2026, 07:55.'],
    ['a certificate near its end', { certificado_vence_em: NOW + 59 * DAY }, 'e não foi renovado'],
    ['a certificate that ended', { certificado_vence_em: NOW - DAY }, 'venceu em 20/11/2026, 09:00.'],
    ['a state too large', { desejado_grande_bytes: 7_400_123 }, 'ela tem 7.401 kB, e o máximo é 6.292 kB.'],
    ['the same of the local edge', { local: 1, desejado_grande_bytes: 7e6 }, 'cadastre uma caixa própria'],
    ['two edges', { duplicado_em: NOW - 59 * MINUTE }, 'Duas caixas usam a identidade'],
  ])('names %s', (_, change, sentence) => {
    expect(advice(change)).toContain(sentence)
  })

  it.each<[string, Partial<Report>, string]>([
    ['a disk that takes nothing', { fila_memoria: 4 }, '4 eventos esperam na memória'],
    ['an outbox in memory alone', { disco_gravavel: false }, 'guarda os eventos só na memória'],
    ['a box without the video package', { pacote_video: false }, 'nenhuma câmera dela tem imagem'],
    ['a disk nearly full', { disco: { total: 100, livre: 4 } }, 'quase cheio'],
    ['a box without the time', { hora: { estado: 'desconhecida', ha_s: 60 } }, 'espera um servidor de hora'],
    ['a clock ahead', { relogio: { desvio_ms: 61_000, sincronizado: true } }, 'está 1 minuto adiantado'],
    ['a clock behind', { relogio: { desvio_ms: -3 * DAY, sincronizado: false } }, 'está 3 dias atrasado'],
    [
      'a clock of which nothing is known',
      { relogio: { desvio_ms: null, sincronizado: false } },
      'não está sincronizado',
    ],
  ])('names %s after a recent report', (_, reported, sentence) => {
    expect(advice({}, reported)).toContain(sentence)
    expect(advice({ presente: 0 }, reported)).not.toContain(sentence)
  })

  it('ignores the source of a correct clock', () => {
    expect(advice({}, { relogio: { desvio_ms: 5, sincronizado: false } })).toBeNull()
  })

  it('drops the duplicated identity one hour after the last alternation', () => {
    expect(advice({ duplicado_em: NOW - 60 * MINUTE })).toBeNull()
  })

  it('lists all problems, the most urgent first', () => {
    const text = advice({ duplicado_em: NOW }, { fila_memoria: 1, relogio: { desvio_ms: null, sincronizado: false } })
    expect(text).toMatch(/^Duas caixas.* O disco da caixa não grava.* O relógio da caixa não está sincronizado/)
  })
})
