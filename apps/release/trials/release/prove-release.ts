import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'
import { temporaryDiskFolder } from '@vigia/testing/temporary-folder'
import type { Result, Row, TrialOutput } from '@vigia/testing/trial'
import { buildRelease } from '../../src/build-release.ts'
import { architectures, type Manifest, nodeArch } from '../../src/manifest.ts'
import { newPrivateKey, publicKeyFile } from '../../src/minisign.ts'
import { PUBLIC_KEY } from '../../src/source-tree.ts'
import { copyRepository, tagAll } from '../../src/test/local-repository.ts'
import { loadNativeParts, startCentral, startEdge, unpackArchive } from '../../src/test/start-archive.ts'

/** An update of a box that changes only our code moves at most this much. The central also has the dashboard. */
const CODE_BYTES = 3_000_000

/** Packages of both programs with native parts, and the JavaScript part of node-av. */
const NATIVE = ['onnxruntime-node', 'better-sqlite3', 'node-av/lib']

const differing = (a: string, b: string): string[] => {
  const names = [...new Set([...readdirSync(a), ...readdirSync(b)])]
  return names.filter((name) => !readFileSync(join(a, name)).equals(readFileSync(join(b, name))))
}

const rowOf = ({ componente, arquitetura, partes }: Manifest): Row => {
  const sum = (size: 'bytes' | 'bytes_instalados') => partes.reduce((total, part) => total + part[size], 0)
  return {
    componente,
    arquitetura,
    'packed MB': Number((sum('bytes') / 1e6).toFixed(1)),
    'installed MB': Number((sum('bytes_instalados') / 1e6).toFixed(1)),
    parts: partes.length,
    'own code MB': Number(((partes[0]?.bytes ?? 0) / 1e6).toFixed(2)),
  }
}

/** Step `montar`: builds the tagged tree twice, compares, and starts what this machine can start. */
export async function proveRelease(pacotes: string, { print, progress }: TrialOutput): Promise<Result> {
  const folder = temporaryDiskFolder('vigia-trial-release-')
  try {
    const chave = join(folder, 'chave')
    const pem = newPrivateKey()
    writeFileSync(chave, pem, { mode: 0o600 })
    // A key of its own: the release key of the product is in no repository.
    const build = (name: string) => {
      const root = join(folder, `fonte-${name}`)
      if (name === 'a') {
        copyRepository(root)
        writeFileSync(join(root, PUBLIC_KEY), publicKeyFile(pem))
        tagAll(root)
      } else execFileSync('git', ['clone', '-q', join(folder, 'fonte-a'), root], { stdio: 'pipe' })
      return buildRelease({
        root,
        saida: join(folder, name),
        pacotes: resolve(repositoryRoot, pacotes),
        componentes: ['edge', 'central'],
        arquiteturas: architectures,
        chave,
        print,
      })
    }
    progress(0, 'first build')
    const manifests = build('a')
    progress(0.45, 'second build')
    build('b')
    const different = differing(join(folder, 'a'), join(folder, 'b'))
    if (different.length > 0) print(`different: ${different.join(', ')}`)

    progress(0.9, 'start')
    const own = architectures.find((one) => nodeArch[one] === process.arch)
    const program = (component: string) => {
      const { versao } = manifests[0] ?? {}
      return unpackArchive(join(folder, `a/vigia-${component}-${versao}-${own}.tar.gz`), join(folder, component))
    }
    const [ofEdge, ofCentral] = [program('edge'), program('central')]
    loadNativeParts(ofEdge, NATIVE)
    loadNativeParts(ofCentral, [...NATIVE, 'sharp', '@node-rs/argon2'])
    const edge = await startEdge(ofEdge, join(folder, 'dados-edge'))
    const central = await startCentral(ofCentral, join(folder, 'dados-central'))
    print(`/readyz ${central.readyz}, page ${central.page}`)
    const ofBoxes = manifests.filter(({ componente }) => componente === 'edge')
    const codeFits = ofBoxes.every(({ partes }) => (partes[0]?.bytes ?? 0) <= CODE_BYTES)
    const started = edge.includes('Aguardando o código') && central.readyz === 200 && central.page === 200
    if (!codeFits) print('the own code of the edge is larger than an update may be')
    return { passed: different.length === 0 && codeFits && started, rows: manifests.map(rowOf) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
