// A channel to other windows, of which there are none in a test, would keep the test from ending.
Reflect.deleteProperty(globalThis, 'BroadcastChannel')

export {}
