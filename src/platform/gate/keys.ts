/**
 * Names in Redis. Everything that one request of a tenant touches shares the tenant's Cluster hash tag, so that one
 * script call may use it all. Names hold ids and hashes, never keys or personal data.
 */
export const tenantSlot = (provedorId: number): string => `malha:{p${provedorId}}`;
/** Whether it is a tenant's; `{pulso}` has no number. */
export const isTenantSlot = (slot: string): boolean => /^malha:\{p\d/.test(slot);
export const networkSlot = (network: string): string => `malha:{ip:${network}}`;

/** Where the gate's heartbeat writes. */
export const PULSE_SLOT = 'malha:{pulso}';

/** There while some process is asked much of a slot. */
export const demandKey = (slot: string): string => `${slot}:muitos`;

export const windowKey = (slot: string, name: string): string => `${slot}:janela:${name}`;
/** The hash that holds, for each tag of a slot, the last bump that touched it. */
export const bumpsKey = (slot: string): string => `${slot}:marcas`;
