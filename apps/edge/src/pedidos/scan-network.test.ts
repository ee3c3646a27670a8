import { resultadosSchema } from '@vigia/contracts/pedidos'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type IsolatedNetwork, startIsolatedNetwork } from '@vigia/testing/isolated-network'
import { type Program, runProgram, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProbeSlots } from '../capture/connection-slots.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import { createScanHandlers } from './scan-network.ts'

const DAHUA = '10.77.0.21'
const XM = '10.77.0.22'
const PRINTER = '10.77.0.23'
const HOSTILE = '10.77.0.24'
/** Reachable over the cable, but outside the scanned networks. */
const PUBLIC = '203.0.113.9'
const LINK_LOCAL = '169.254.7.9'

const network: IsolatedNetwork | null = await startIsolatedNetwork({
  near: ['10.77.0.1/27', '203.0.113.1/27', '169.254.7.1/27'],
  far: [
    '10.77.0.20/27',
    ...[DAHUA, XM, PRINTER, HOSTILE].map((address) => `${address}/27`),
    `${PUBLIC}/27`,
    `${LINK_LOCAL}/27`,
  ],
})
let devices: Program
let recorder: Program

beforeAll(async () => {
  if (!network) return
  const { execPath } = network.far
  const list = [
    [DAHUA, 37777, null],
    [XM, 34567, null],
    [XM, 80, { server: 'uc-httpd 1.0.0', title: 'NETSurveillance WEB' }],
    [PRINTER, 80, { server: 'Impressora', title: 'Impressora do escritório' }],
    [HOSTILE, 554, null],
    [HOSTILE, 80, { server: 'x', title: 'nome\u202egravador' }],
    [PUBLIC, 554, null],
    [LINK_LOCAL, 554, null],
  ]
  devices = await startProgram({
    entry: 'apps/edge/src/testing/scanned-devices.ts',
    args: [JSON.stringify(list)],
    execPath,
  })
  recorder = await startProgram({
    entry: 'apps/dvr-simulator/src/main.ts',
    args: [
      '--host',
      '10.77.0.20',
      '--porta',
      '554',
      '--canal',
      '',
      '--onvif',
      '8000',
      '--onvif-nome',
      'Intelbras MHDX 1108',
    ],
    env: { VIGIA_SIM_USUARIO: 'vigia', VIGIA_SIM_SENHA: 'segredo' },
    execPath,
  })
})
afterAll(async () => {
  await recorder?.stop()
  await devices?.kill()
  network?.close()
})

describe.skipIf(!network)('varrer_rede in a network of its own (needs network namespaces)', () => {
  it('finds recorders with their makers, and connects to no address outside the private networks', async () => {
    const scan = await runProgram({
      entry: 'apps/edge/src/testing/scanning-process.ts',
      execPath: network?.near.execPath ?? '',
    })
    const [scope, found] = scan.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
    expect(scope.resultado.redes).toEqual([{ rede: '10.77.0.0/27', enderecos: 29 }])
    expect(resultadosSchema.varrer_rede.parse(found.resultado)).toEqual({
      equipamentos: [
        { host: '10.77.0.20', portas: [554, 8000], fabricante: 'intelbras', modelo: 'MHDX 1108', onvif: 8000 },
        { host: DAHUA, portas: [37777], fabricante: 'intelbras', modelo: null, onvif: null },
        { host: XM, portas: [80, 34567], fabricante: 'giga', modelo: 'NETSurveillance WEB', onvif: null },
        { host: HOSTILE, portas: [80, 554], fabricante: null, modelo: null, onvif: null },
      ],
    })
    process.kill(devices.pid, 'SIGUSR2')
    const line = await waitFor('the counts', () => /connected (.*)/.exec(devices.output())?.[1])
    expect(JSON.parse(line)).toEqual([DAHUA, XM, PRINTER, HOSTILE])
  })
})

describe('a scan', () => {
  const slots = createProbeSlots(createOwnSlots(createHostSlots(2)))
  const context = { id: '0', signal: new AbortController().signal, prazoMs: 5_000 }

  it('does nothing where the owner has turned it off', async () => {
    const handlers = createScanHandlers({ enabled: false, allowed: parseAllowedCidrs(''), slots })
    const refused = { ok: false, falha: 'varredura_desligada' }
    expect(await handlers.listar_redes({ acao: 'listar_redes' }, context)).toEqual(refused)
    expect(await handlers.varrer_rede({ acao: 'varrer_rede' }, context)).toEqual(refused)
  })
})
