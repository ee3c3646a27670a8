/** Headers of every answer, unless the handler sets its own value. */
const always: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // `no-referrer` would make browsers send `Origin: null` with the login form.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), ' +
    'magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'x-permitted-cross-domain-policies': 'none',
  // All answers except pages are data: nothing in them may run or be framed.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'cache-control': 'no-store',
}

/**
 * Sets the missing headers. Over HTTPS adds HSTS for one year, without subdomains, because these may belong to others.
 */
export function setSecurityHeaders(headers: Headers, https: boolean): void {
  for (const [name, value] of Object.entries(always)) if (!headers.has(name)) headers.set(name, value)
  if (https) headers.set('strict-transport-security', 'max-age=31536000')
}
