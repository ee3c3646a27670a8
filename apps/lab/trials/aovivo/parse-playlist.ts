export interface Segment {
  readonly sequence: number
  readonly uri: string
  readonly init: string
  readonly seconds: number
  /** Time of its end, epoch ms. */
  readonly endMs: number
}

export interface Playlist {
  /** Seconds. */
  readonly target: number
  /** Complete ones. */
  readonly segments: readonly Segment[]
  /** Time of the end of the newest picture in the list, epoch ms. */
  readonly endMs: number
}

/** Reads a media playlist (RFC 8216), with the parts of LL-HLS. */
export function parsePlaylist(text: string): Playlist {
  const segments: Segment[] = []
  let [target, sequence, init, seconds, endMs, partsMs] = [0, 0, '', 0, 0, 0]
  for (const line of text.split('\n')) {
    const [tag = '', value = ''] = line.split(/:(.*)/s)
    if (tag === '#EXT-X-TARGETDURATION') target = Number(value)
    else if (tag === '#EXT-X-MEDIA-SEQUENCE') sequence = Number(value)
    else if (tag === '#EXT-X-MAP') init = /URI="([^"]+)"/.exec(value)?.[1] ?? ''
    else if (tag === '#EXT-X-PROGRAM-DATE-TIME') [endMs, partsMs] = [Date.parse(value), 0]
    else if (tag === '#EXT-X-PART') partsMs += 1000 * Number(/DURATION=([\d.]+)/.exec(value)?.[1])
    else if (tag === '#EXTINF') seconds = Number.parseFloat(value)
    else if (line !== '' && !line.startsWith('#')) {
      ;[endMs, partsMs] = [endMs + 1000 * seconds, 0]
      segments.push({ sequence: sequence + segments.length, uri: line, init, seconds, endMs })
    }
  }
  return { target, segments, endMs: endMs + partsMs }
}
