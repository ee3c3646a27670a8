import { type Failed, type NoSlot, type ProbeOptions, withContact, withSlot } from '../contact.ts'
import { type Described, describe } from '../describe.ts'
import type { LoginGate } from '../login-gate.ts'
import { readRtspUrl } from '../rtsp-url.ts'

interface DescribeAnswer {
  readonly ok: true
  readonly described: Described | NoSlot
}

const ANSWER_MS = 8_000

/** One DESCRIBE of an address with credentials, without opening video. */
export async function describeUrl(
  url: string,
  options: ProbeOptions & { readonly gate: LoginGate },
): Promise<DescribeAnswer | Failed> {
  const { host, credentials } = readRtspUrl(url)
  return await withContact<DescribeAnswer | Failed>(host, options, async ({ reach, signal, slots }) => ({
    ok: true,
    described: await withSlot(url, slots, signal, () =>
      describe({ ...reach(), url, credentials, gate: options.gate, timeoutMs: ANSWER_MS, signal }),
    ),
  }))
}
