// The script of a thread of node; node-worker.js starts it.

import { parentPort } from 'node:worker_threads';
import * as library from './node.js';
import { answering } from './answers.js';

parentPort.on('message', answering(library, (message, memory) => parentPort.postMessage(message, memory)));
