/** An answer of a device that names another address. */
export interface SeenRedirection {
  readonly status: number
  /** Method of the request. */
  readonly method: string
  readonly location: string | undefined
}

/** Checks the bytes of a connection up to FFmpeg's PLAY, after which FFmpeg follows no redirection. */
export interface RedirectionFilter {
  fromClient(chunk: Buffer): void
  /** Returns the bytes to pass on: nothing from the redirection on. */
  fromDevice(chunk: Buffer): Buffer
  /** Complete with the head of the answer. */
  readonly redirection: SeenRedirection | null
}

/** FFmpeg cuts a line here (MAX_URL_SIZE). */
const MAX_LINE = 4096
/** Largest head of an answer that names another address. */
export const MAX_REDIRECTION = 16 * 1024
/**
 * A status line as FFmpeg reads it, at any position: the device alone states where a body ends and an answer begins. A
 * longer version counts as a redirection.
 */
const REDIRECTS = /RTSP\/(?:[^ \t\n]{33}|[^ \t\n]{0,32}[ \t]+[\v\f]*\+?0*(3\d\d))/
const PLAYS = /(?:^|\n)PLAY /
const NOTHING = Buffer.alloc(0)

/** `remote`: IP address of the device, to which FFmpeg sends over UDP. */
export function createRedirectionFilter(remote: string): RedirectionFilter {
  let isPlaying = false
  let method = ''
  /** The last bytes without carriage returns, which FFmpeg ignores. */
  let line = ''
  let head: string | null = null
  let redirection: SeenRedirection | null = null

  return {
    fromClient(chunk) {
      if (isPlaying) return
      const text = chunk.toString('latin1')
      method = /^([A-Z_]{1,20}) /.exec(text)?.[1] ?? method
      isPlaying = PLAYS.test(text)
    },
    fromDevice(chunk) {
      if (isPlaying && head === null) return chunk
      const text = chunk.toString('latin1')
      line += text.replaceAll('\r', '')
      const found = head === null ? REDIRECTS.exec(line) : null
      if (found) head = line.slice(found.index)
      else if (head !== null) head += text.replaceAll('\r', '')
      line = line.slice(-MAX_LINE)
      if (head === null) return toItself(text, remote)
      if (head.includes('\n\n') || head.length > MAX_REDIRECTION) redirection ??= readHead(head, method)
      return NOTHING
    },
    get redirection() {
      return redirection
    },
  }
}

function readHead(head: string, method: string): SeenRedirection {
  const status = Number(REDIRECTS.exec(head)?.[1] ?? 300)
  return { status, method, location: /^Location[ \t]*:[ \t]*(.*)$/im.exec(head)?.[1]?.trim() }
}

/** FFmpeg sends RTCP over UDP to the `source` of the answer to SETUP, else to its peer, which is the relay. */
const toItself = (text: string, remote: string): Buffer =>
  Buffer.from(text.replace(/^(Transport:(?!.*interleaved).*?)(?=\r?\n)/gim, `$1;source=${remote}`), 'latin1')
