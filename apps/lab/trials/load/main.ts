// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A medida de carga precisa do Node 24 ou mais novo: rode-a com `npm run load`.\n')
  process.exit(1)
}

const { parseArgs } = await import('node:util')
const { cpus } = await import('node:os')
const { nomesIas } = await import('@vigia/contracts/ias')
const { MAX_OTHERS, measureLoad } = await import('./measure.ts')
const { measureScenes } = await import('./scenes.ts')

const USAGE = 'Uso: npm run load -- [--cameras 16 | --cenas] [--segundos 60] [--json]'

/** Largest delay of the event loop that the product guarantees, p99 in ms. */
const MAX_P99_MS = 50

function readArguments() {
  const options = {
    cameras: { type: 'string' },
    cenas: { type: 'boolean', default: false },
    segundos: { type: 'string', default: '60' },
    json: { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ options, args: process.argv.slice(2) }).values
  } catch (error) {
    // null: parseArgs rejects the call. Other errors are thrown.
    if (error instanceof TypeError && 'code' in error) return null
    throw error
  }
}

function wrongCall(): number {
  process.stderr.write(`${USAGE}\n`)
  return 2
}

/** Exit code: 0 all bounds held, 1 a broken bound, 2 an invalid call. */
async function main(): Promise<number> {
  const values = readArguments()
  if (!values) return wrongCall()
  const [cameras, seconds] = [Number(values.cameras ?? 16), Number(values.segundos)]
  if (!(Number.isInteger(cameras) && cameras > 0 && seconds >= 5)) return wrongCall()
  if (values.cenas && values.cameras !== undefined) return wrongCall()
  const { stderr } = process
  const onProgress = (text: string) => stderr.isTTY && stderr.write(`\r\u001b[K${text}`)
  if (values.cenas) return await mainOfScenes(seconds, values.json, onProgress)
  const report = await measureLoad({ cameras, seconds, ias: nomesIas, onProgress })
  onProgress('')
  const ok =
    report.atraso_p99_principal < MAX_P99_MS && report.atraso_p99_captura < MAX_P99_MS && report.na_fila_max <= cameras
  warnAboutOthers(report.ocupada_por_outros)
  process.stdout.write(values.json ? `${JSON.stringify({ maquina: machine(), ok, ...report }, null, 2)}\n` : table())
  return ok ? 0 : 1

  function table(): string {
    const mib = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`
    const rows: [string, string][] = [
      ['máquina', machine()],
      ['câmeras, processos de captura', `${report.cameras}, ${report.processos}`],
      ['memória por câmera', mib(report.memoria_por_camera)],
      ['memória do processo principal', mib(report.memoria_principal)],
      ['CPU por câmera', `${(report.cpu_por_camera * 100).toFixed(1)} % de um núcleo`],
      ['CPU do processo principal', `${(report.cpu_principal * 100).toFixed(1)} % de um núcleo`],
      ['quadros por câmera', `${report.quadros_por_s.toFixed(1)}/s`],
      [
        'olhares dos modelos por câmera',
        `${report.olhares_por_s.toFixed(2)}/s (${report.trocados_por_s.toFixed(2)}/s trocados por um quadro mais novo)`,
      ],
      [
        'atraso do laço de eventos, p99',
        `principal ${report.atraso_p99_principal.toFixed(1)} ms, ` +
          `captura ${report.atraso_p99_captura.toFixed(1)} ms (limite ${MAX_P99_MS} ms)`,
      ],
      ['câmeras à espera da vez, no máximo', String(report.na_fila_max)],
      ['processadores ocupados por outros', `${(report.ocupada_por_outros * 100).toFixed(0)} %`],
      ['eventos; à espera no disco, no máximo', `${report.eventos}; ${report.outbox_max}`],
    ]
    return aligned(rows)
  }
}

/** One camera with every IA on a quiet and on a busy scene. */
async function mainOfScenes(seconds: number, json: boolean, onProgress: (text: string) => unknown): Promise<number> {
  const reports = await measureScenes(seconds, onProgress)
  onProgress('')
  warnAboutOthers(Math.max(...reports.map((report) => report.ocupada_por_outros)))
  const rows = reports.map(({ cena, nucleos, limite, valida, ok, quadros_por_s, olhares_por_s, eventos }) => {
    const verdict = valida ? (ok ? 'ok' : 'acima do limite') : 'sem valor: poucos quadros analisados'
    const rates = `${quadros_por_s.toFixed(1)} quadros/s, ${olhares_por_s.toFixed(2)} olhares/s, ${eventos} eventos`
    return [`cena ${cena}`, `${nucleos.toFixed(3)} núcleo (limite ${limite}): ${verdict}; ${rates}`] as const
  })
  const ok = reports.every((report) => report.ok)
  const text = json
    ? `${JSON.stringify({ maquina: machine(), ok, cenas: reports }, null, 2)}\n`
    : aligned([['máquina', machine()], ...rows])
  process.stdout.write(text)
  return ok ? 0 : 1
}

const machine = () => `${cpus()[0]?.model ?? '?'}, ${cpus().length} núcleos`

function warnAboutOthers(share: number): void {
  if (share <= MAX_OTHERS) return
  process.stderr.write(
    'A máquina estava ocupada com outros programas: atrasos e olhares valem pouco. Meça outra vez.\n',
  )
}

function aligned(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return `${rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n')}\n`
}

process.exitCode = await main()
