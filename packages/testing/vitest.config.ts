import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** `unit`: beside the code, in parallel. `e2e`: real processes, ports and a browser, one file at a time. */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          root,
          include: ['{packages,apps,deploy,firmware-images}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/e2e/**'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'e2e',
          root,
          include: ['apps/**/e2e/**/*.test.ts'],
          pool: 'forks',
          fileParallelism: false,
          testTimeout: 180_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
