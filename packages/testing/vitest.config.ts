import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './src/longest-first.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Tests that decode video, run models, or start processes, threads or a broker: each file runs in its own process. */
const NATIVE = [
  '**/*.{disk,native}.test.ts',
  '{deploy,firmware-images}/**/*.test.ts',
  'apps/all-in-one/**/*.test.ts',
  'apps/broker/src/!(acl|admission|config|edge-accounts|forward-turns|packet-gate).test.ts',
  'apps/dvr-simulator/{src/*,src/onvif/*,src/rtp/{playback,rtp-stream},trials/**/*}.test.ts',
  'apps/edge/src/{app,link/renewal,outbox/store,pedidos/*,supervisor/supervisor}.test.ts',
  'apps/edge/src/capture/{camera-session,clip-*,live-sources,main,main-pictures,picture-taker}.test.ts',
  'apps/lab/{src/*,trials/{clips-outage,figures,journeys}/**/*,trials/chaos/options}.test.ts',
  'apps/lab/trials/eval/{page,show-still,trial,longo/{clip-loop,run-segment},stress/*}.test.ts',
  'apps/model-tools/{src/**/*,trials/sheets/*,trials/train-heads/train}.test.ts',
  'packages/analysis/src/{!(analyses|discards),plates/plate-quality}.test.ts',
  'packages/link/src/{mosquitto,pki/{installation,revocation-list}}.test.ts',
  'packages/rtsp/src/{client/open-session,describe}.test.ts',
  'packages/runtime/src/{log-destination,systemd-notify,tracing}.test.ts',
  'packages/testing/src/{faulty-proxy,s3-server}.test.ts',
  'packages/toolchain/src/{layers,limits/*,named-files,prose/*,ui-page}.test.ts',
  'packages/video/src/{connection,decoder-budget,frame,mask,rtsp-source,stall,stream-{faults,reader,stop}}.test.ts',
  'packages/video/src/{audio/*,encode/*,mp4/packager,readers/*,testing/*}.test.ts',
  'packages/vision/src/{classifier,detector,model-runner*,no-telemetry,second-*,decoders/*}.test.ts',
]
const APP = ['apps/cloud/**/*.test.ts']
const E2E = ['apps/**/e2e/**/*.test.ts']
const E2E_SHARED = ['apps/**/e2e/**/*.shared.test.ts']
const MODULES = '**/node_modules/**'

/** Guards against a hang only: several workers on two busy cores run a test at a fraction of its speed. */
const timeouts = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 90_000 } } }
/** Node's compile cache of the libraries. `npm ci` removes it. */
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/tests', import.meta.url))
const besideTheCode = {
  root,
  pool: 'forks' as const,
  // More workers than the two cores, because many files wait for processes and timers.
  maxWorkers: 5,
  env: { NODE_COMPILE_CACHE: compileCache },
  ...timeouts,
}
/** `npm run test:postgres`: tests of the cloud, its pages and whole installations on PostgreSQL instead of SQLite. */
const allOnPostgres = process.env.VIGIA_TEST_BANCO === 'postgres'
/** Tests of the cloud that `npm test` also runs on PostgreSQL. */
const POSTGRES = [
  'apps/cloud/src/**/*.postgres.test.ts',
  'apps/cloud/src/db/work-queue/worker.test.ts',
  'apps/cloud/src/domains/{operacao/ingestao/ingest-batch,agentes/oauth/two-processes}.test.ts',
  'apps/cloud/src/interface-tests/examples.test.ts',
]
const setupFile = (name: string) => fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))
/** Files of such a project follow one another in the same process. */
const shared = { isolate: false, setupFiles: [setupFile('unchanged-globals')] }
const onPostgres = {
  globalSetup: setupFile('postgres-setup'),
  setupFiles: [...shared.setupFiles, setupFile('drop-databases'), setupFile('first-statements')],
}
/** End-to-end tests that run no cloud, or that are about the files of SQLite. */
const NOT_ON_POSTGRES = [
  'apps/edge/**',
  'apps/{all-in-one,lab}/**/{chaos,disk,eval,example-ia,fresh-clone,npm-start,upgrade}.test.ts',
]
const endToEnd = {
  ...besideTheCode,
  // More than beside the code: these files mostly wait.
  maxWorkers: 5,
  testTimeout: 360_000,
  setupFiles: [setupFile('report-programs')],
}

/** docs/testing.md describes the purpose of each project. */
export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'pure',
          include: ['{packages,apps}/**/*.test.{ts,tsx}'],
          exclude: [MODULES, ...E2E, ...APP, ...NATIVE],
          ...shared,
          ...besideTheCode,
        },
      },
      {
        test: {
          name: 'app',
          include: APP,
          exclude: [MODULES, ...E2E, ...NATIVE, ...(allOnPostgres ? [] : ['**/*.postgres.test.ts'])],
          ...shared,
          ...besideTheCode,
          ...(allOnPostgres && onPostgres),
        },
      },
      ...(allOnPostgres
        ? []
        : [
            {
              test: {
                name: 'postgres',
                include: POSTGRES,
                ...shared,
                ...besideTheCode,
                ...onPostgres,
                env: { ...besideTheCode.env, VIGIA_TEST_BANCO: 'postgres' },
              },
            },
          ]),
      {
        test: {
          name: 'native',
          include: NATIVE,
          exclude: [MODULES, ...E2E],
          ...besideTheCode,
        },
      },
      {
        test: {
          name: 'e2e-shared',
          include: E2E_SHARED,
          exclude: [MODULES],
          sequence: { groupOrder: 1 },
          ...endToEnd,
          ...shared,
          setupFiles: [...shared.setupFiles, ...endToEnd.setupFiles],
          ...(allOnPostgres && { globalSetup: onPostgres.globalSetup }),
        },
      },
      {
        test: {
          name: 'e2e-alone',
          include: E2E,
          exclude: [MODULES, ...E2E_SHARED, ...(allOnPostgres ? NOT_ON_POSTGRES : [])],
          globalSetup: allOnPostgres ? onPostgres.globalSetup : setupFile('data-template'),
          sequence: { groupOrder: 1 },
          ...endToEnd,
          ...(allOnPostgres && { setupFiles: [setupFile('drop-databases'), ...endToEnd.setupFiles] }),
        },
      },
    ],
  },
})
