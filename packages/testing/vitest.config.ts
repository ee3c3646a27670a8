import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Workspaces whose tests need a process of their own: native modules, ports, child processes. */
const NATIVE = [
  '{deploy,firmware-images}/**/*.test.ts',
  'apps/{all-in-one,bench,broker,dvr-simulator,edge}/**/*.test.ts',
  'packages/{analysis,link,rtsp,runtime,testing,toolchain,video,vision}/**/*.test.ts',
  '**/*.native.test.ts',
]
const APP = ['apps/cloud/**/*.test.ts']
const E2E = ['apps/**/e2e/**/*.test.ts']
const E2E_SHARED = ['apps/**/e2e/**/*.shared.test.ts']
const E2E_TIMED = ['apps/**/e2e/**/*.timed.test.ts']
const MODULES = '**/node_modules/**'

const timeouts = { testTimeout: 30_000, hookTimeout: 30_000 }
/** More than the two cores of the smallest machine: these files mostly wait for processes, timers and retries. */
const E2E_WORKERS = 4
const e2eTimeouts = { testTimeout: 180_000, hookTimeout: 120_000 }

/** Replaces all others on `--project unit`. TODO: remove once no checkout asks for it. */
const unit = {
  test: {
    name: 'unit',
    root,
    include: ['{packages,apps,deploy,firmware-images}/**/*.test.{ts,tsx}'],
    exclude: [MODULES, ...E2E],
    pool: 'forks' as const,
    maxWorkers: 2,
    ...timeouts,
  },
}

/** The purpose of each project, and how to choose one: docs/testing.md. */
export default defineConfig({
  root,
  test: {
    projects: process.argv.includes('unit')
      ? [unit]
      : [
          {
            test: {
              name: 'pure',
              root,
              include: ['{packages,apps}/**/*.test.{ts,tsx}'],
              exclude: [MODULES, ...E2E, ...APP, ...NATIVE],
              pool: 'forks',
              isolate: false,
              maxWorkers: 2,
              ...timeouts,
            },
          },
          {
            test: {
              name: 'app',
              root,
              include: APP,
              exclude: [MODULES, ...E2E, '**/*.native.test.ts'],
              pool: 'forks',
              maxWorkers: 2,
              ...timeouts,
            },
          },
          {
            test: {
              name: 'native',
              root,
              include: NATIVE,
              exclude: [MODULES, ...E2E],
              pool: 'forks',
              maxWorkers: 2,
              ...timeouts,
            },
          },
          {
            test: {
              name: 'e2e-shared',
              root,
              include: E2E_SHARED,
              exclude: [MODULES],
              pool: 'forks',
              isolate: false,
              maxWorkers: E2E_WORKERS,
              sequence: { groupOrder: 1 },
              ...e2eTimeouts,
            },
          },
          {
            test: {
              name: 'e2e-alone',
              root,
              include: E2E,
              exclude: [MODULES, ...E2E_SHARED, ...E2E_TIMED],
              pool: 'forks',
              maxWorkers: E2E_WORKERS,
              sequence: { groupOrder: 1 },
              ...e2eTimeouts,
            },
          },
          {
            test: {
              name: 'e2e-timed',
              root,
              include: E2E_TIMED,
              exclude: [MODULES],
              pool: 'forks',
              fileParallelism: false,
              sequence: { groupOrder: 2 },
              ...e2eTimeouts,
            },
          },
        ],
  },
})
