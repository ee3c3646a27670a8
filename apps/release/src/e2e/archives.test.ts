import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildRelease } from '../build-release.ts'
import { architectures, nodeArch } from '../manifest.ts'
import { createLocalRepository } from '../test/local-repository.ts'
import { loadNativeParts, startCentral, startEdge, unpackArchive } from '../test/start-archive.ts'

const arquitetura = architectures.find((one) => nodeArch[one] === process.arch)

/** Guards against a hang: a minute on two idle cores. */
const BUILD_MS = 600_000

describe.skipIf(process.platform !== 'linux' || !arquitetura)('the archives for this machine (need Linux)', () => {
  const folder = temporaryDiskFolder('vigia-archives-')
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const archive = (component: string) => join(folder, `versao/vigia-${component}-0.1.0-${arquitetura}.tar.gz`)

  beforeAll(() => {
    if (!arquitetura) return
    const [root, pacotes] = [join(folder, 'repositorio'), join(folder, 'guardados')]
    createLocalRepository(root, pacotes, arquitetura)
    buildRelease({
      root,
      pacotes,
      saida: join(folder, 'versao'),
      componentes: ['edge', 'central'],
      arquiteturas: [arquitetura],
      chave: null,
      print: () => {},
    })
  }, BUILD_MS)

  it('start the agent, which waits for its activation code', async () => {
    const program = unpackArchive(archive('edge'), join(folder, 'edge'))
    loadNativeParts(program, ['onnxruntime-node', 'better-sqlite3', 'node-av/lib'])
    expect(await startEdge(program, join(folder, 'dados-edge'))).toContain(
      'Aguardando o código de ativação desta caixa.',
    )
  })

  it('start broker and cloud with the dashboard', async () => {
    const program = unpackArchive(archive('central'), join(folder, 'central'))
    loadNativeParts(program, ['onnxruntime-node', 'better-sqlite3', 'sharp', '@node-rs/argon2', 'node-av/lib'])
    expect(await startCentral(program, join(folder, 'dados-central'))).toEqual({ readyz: 200, page: 200 })
  })
})
