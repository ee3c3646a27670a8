/**
 * onnxruntime reports its use to its maker and keeps a device id below the home directory unless this is set before its
 * library is loaded. Whoever watches over cameras tells nobody; so this stands in a module of its own, evaluated first.
 */
process.env.ORT_DISABLE_TELEMETRY = '1'
