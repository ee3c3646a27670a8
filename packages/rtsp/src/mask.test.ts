import { fabricantes } from '@vigia/contracts/fabricantes'
import { describe, expect, it } from 'vitest'
import { streamUrl } from './maker-urls.ts'
import { hasPassword, isMasked, maskPassword, restorePassword } from './mask.ts'

const secret = 'S3gr'
/** Passwords as users type them into a URL, without percent-encoding; each has the marker at both ends. */
const raw = ['@', ':', '/', '#', '%', '&', '=', ' ', 'ç', '?', '@@', '/@', '@/', '?x=@', ':/@#%&= '].map(
  (middle) => `${secret}${middle}${secret}`,
)
const tails = [
  '@10.0.0.9:554/cam/realmonitor?channel=1&subtype=0',
  '@dvr.exemplo.com.br/live',
  '@[fd00::5]:554/x',
  '@dvr',
]

describe('maskPassword', () => {
  it('hides only the password', () => {
    expect(maskPassword('rtsp://admin:abc@10.0.0.9:554/a?b=1')).toBe('rtsp://admin:****@10.0.0.9:554/a?b=1')
    expect(maskPassword('rtsps://admin:abc@[fd00::5]:322/a')).toBe('rtsps://admin:****@[fd00::5]:322/a')
    expect(maskPassword('rtsp://h/user=u&password=abc&channel=1&stream=0.sdp?real_stream')).toBe(
      'rtsp://h/user=u&password=****&channel=1&stream=0.sdp?real_stream',
    )
    expect(maskPassword('rtsp://h/user=u_password=abc_channel=1_stream=0.sdp')).toBe(
      'rtsp://h/user=u_password=****_channel=1_stream=0.sdp',
    )
    expect(maskPassword('rtsp://h/live?user=u&pwd=abc&x=1')).toBe('rtsp://h/live?user=u&pwd=****&x=1')
  })

  it.each([
    'rtsp://10.0.0.9:554/live',
    'rtsp://10.0.0.9:554/live@1',
    'rtsp://admin@10.0.0.9/live',
    'rtsp://[fd00::5]:554/live',
    'rtsp://admin:@10.0.0.9/live',
    'rtsp://dvr.exemplo.com.br:554/live',
    '',
    'texto',
  ])('does not change %j', (url) => {
    expect(maskPassword(url)).toBe(url)
    expect(hasPassword(url)).toBe(false)
    expect(restorePassword(url, 'rtsp://a:b@c/')).toBe(url)
  })

  it.each(raw)('hides the raw password %j', (password) => {
    for (const url of [
      ...tails.map((tail) => `rtsp://admin:${password}${tail}`),
      `admin:${password}@10.0.0.9/`,
      `rtsp://10.0.0.9:554/user=admin&password=${password}&channel=1&stream=0.sdp?real_stream`,
      `rtsp://dvr.exemplo.com.br:554/user=admin&password=${password}&channel=1&stream=0.sdp`,
      `rtsp://dvr.exemplo.com.br:554/user=admin_password=${password}_channel=1_stream=1.sdp`,
      `rtsp://dvr.exemplo.com.br:554/live?user=admin&password=${password}`,
    ]) {
      const masked = maskPassword(url)
      expect(masked).not.toContain(secret)
      expect(masked).toContain('****')
      expect(hasPassword(url)).toBe(true)
      expect(hasPassword(masked)).toBe(false)
      expect(isMasked(masked)).toBe(true)
      expect(maskPassword(masked)).toBe(masked)
      expect(restorePassword(masked, url)).toBe(url)
    }
  })

  it.each([
    'rtsp://h/x/user=a_password=S3gr_S3gr_channel=1',
    'rtsp://h/user=a_password=S3grS3gr.sdp',
    'rtsp://h/user=a_password=S3gr.sdp_S3gr_ch=1',
    'rtsp://h/x?psw=S3gr',
    'rtsp://h/x?loginuse=a&loginpas=S3gr',
    'rtsp://h/x?u=a&p=S3gr&c=1',
    'rtsp://h/x?auth=S3gr==&c=1',
    'rtsp://h/x?access_token=S3gr',
    'rtsp://h/x?user_pwd=S3gr',
    'rtsp://h/x?pa%73sword=S3gr',
    'rtsp://h/x;senha=S3gr;c=1',
  ])('finds the password in %s', (url) => {
    const masked = maskPassword(url)
    expect(masked).not.toContain(secret)
    expect(restorePassword(masked, url)).toBe(url)
  })

  it('restores each of several passwords at its own position', () => {
    const url = 'rtsp://h/x?token=um&c=1&password=dois'
    expect(restorePassword('rtsp://h/y?password=****&token=****', url)).toBe('rtsp://h/y?password=dois&token=um')
    expect(maskPassword('rtsp://h/x?p=1&c=2')).toBe('rtsp://h/x?p=1&c=2')
  })

  it('hides a password in the userinfo and one in the path at once', () => {
    const url = 'rtsp://u:um@h/user=u&password=dois&channel=1&stream=0.sdp'
    expect(maskPassword(url)).toBe('rtsp://u:****@h/user=u&password=****&channel=1&stream=0.sdp')
    expect(restorePassword(maskPassword(url), url)).toBe(url)
  })
})

describe('restorePassword', () => {
  it('allows another host and path', () => {
    expect(restorePassword('rtsp://admin:****@10.1.1.1:8554/novo', 'rtsp://admin:p%40ss@10.0.0.9/velho')).toBe(
      'rtsp://admin:p%40ss@10.1.1.1:8554/novo',
    )
  })

  it('moves the password between the forms of two makers, encoded for its new position', () => {
    const senha = "p@s_s&/ ç!'"
    const address = { host: '10.0.0.9', porta: 554, usuario: 'admin', senha, canal: 2 }
    for (const from of ['intelbras', 'giga', 'xm'] as const)
      for (const to of ['intelbras', 'giga', 'xm'] as const)
        expect(
          restorePassword(
            maskPassword(streamUrl(fabricantes[to].sub, address)),
            streamUrl(fabricantes[from].principal, address),
          ),
        ).toBe(streamUrl(fabricantes[to].sub, address))
  })

  it('returns null without a stored password', () => {
    expect(restorePassword('rtsp://a:****@h/', 'rtsp://a@h/')).toBeNull()
    expect(restorePassword('rtsp://a:****@h/', 'rtsp://a:****@h/')).toBeNull()
    expect(restorePassword('rtsp://a:****@h/', '')).toBeNull()
  })

  it('keeps a new password sent instead of the mask', () => {
    expect(restorePassword('rtsp://a:nova@h/', 'rtsp://a:velha@h/')).toBe('rtsp://a:nova@h/')
  })

  it('treats replacement patterns in a password as text', () => {
    expect(restorePassword('rtsp://a:****@h/', "rtsp://a:$&$1$'@h/")).toBe("rtsp://a:$&$1$'@h/")
  })
})

it('never throws', () => {
  const alphabet = [
    '@',
    ':',
    '/',
    '?',
    '#',
    '&',
    '=',
    '%',
    '****',
    'password=',
    'user=',
    '_',
    'rtsp://',
    'a',
    '\0',
    '\ud800',
  ]
  let seed = 7
  const next = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed
  }
  for (let round = 0; round < 5000; round++) {
    const text = Array.from({ length: next() % 14 }, () => alphabet[next() % alphabet.length]).join('')
    const masked = maskPassword(text)
    expect(maskPassword(masked)).toBe(masked)
    expect(hasPassword(masked)).toBe(false)
    if (hasPassword(text)) expect(restorePassword(masked, text)).not.toBeNull()
  }
})
