/** Headers of every answer; a handler's own value for one of them stays. */
const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // `no-referrer` would make browsers send `Origin: null` with our own login form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'x-permitted-cross-domain-policies': 'none',
  // Whatever is not the dashboard's page is data: nothing in it may run or be framed.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
}

/**
 * Sets what is missing. Over HTTPS the browser is told to stay there for a year; the host alone, because its subdomains may
 * be other people's.
 */
export function setSecurityHeaders(headers: Headers, https: boolean): void {
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value)
  if (https) headers.set('strict-transport-security', 'max-age=31536000')
}
