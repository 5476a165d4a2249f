import test from 'ava';
import calculateSlot from 'cluster-key-slot';
import { pulseNameOf } from '../../../src/platform/gate/pulse-names.ts';

test('each slot of a Cluster has a name that lies in it', (t) => {
  const wrong = Array.from({ length: 16_384 }, (_, slot) => slot).filter(
    (slot) => calculateSlot(pulseNameOf(slot)) !== slot,
  );
  t.deepEqual(wrong, []);
});
