/** The session is open, or was reopened by a repeated Start, which leaves the old stop behind. */
export const ABERTA = '(r.acctstoptime IS NULL OR r.acctstarttime > r.acctstoptime)';

/**
 * SQL for the last moment at which a row of `radacct as r` was active: its stop, or when the open session was last
 * heard of. It is what `interpretarSessao` calls `fim`, save for a session that is open now.
 */
export const ULTIMO_SINAL = `IF(${ABERTA}, GREATEST(COALESCE(r.acctupdatetime, r.acctstarttime), COALESCE(r.acctstarttime, r.acctupdatetime)), r.acctstoptime)`;
