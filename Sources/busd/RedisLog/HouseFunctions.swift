/// The functions that Redis runs for a house. Each checks everything before it writes. The version
/// is part of their names, so that daemons of two versions can use one Redis.
///
/// Keys of a house:
/// - `head`, a hash. `id`: the identity; `n`, `t`, `c`: number, time and chain of the newest entry;
///   `bytes`: of all entries; `states`, `below`, `chain`, `sized`: the key of the current states,
///   the entry that they are as of, its chain, and `bytes` then; `older`: the key of the former
///   states; `was`: the identity before a restore; `secret`: the newest entry that replaced a
///   secret, until nothing here has the former one; `off`: the time of the house minus the time of
///   Redis; `beat`: the time of the last heartbeat; `grace`: until then, no row is removed.
/// - `log`, a stream of entries.
/// - `origins`, a hash: the last call of each origin.
/// - `rows`, a hash: the row of each origin.
/// - `digests`, a hash: a digest by number of its entry.
///
/// Times are in microseconds. The time of the house does not follow a step of Redis' clock: the
/// daemons notice it, and if all that are alive agree, `off` is changed. If the clock was set back
/// while no daemon ran, the first daemon that starts changes `off`.
///
/// Anything may be in these keys. A number that is none counts as absent (`number`).
enum HouseFunctions {
    static let code = "#!lua name=busd_house_2\n\n\(reading)\n\n\(calls)"

    private static let calls = #"""
        -- Makes a house with a log that begins after entry n. With 'replace', it may replace a
        -- house that never had an entry.
        -- keys: head, log, origins, digests; arguments: identity, n, time, chain, key of the
        -- states or '', 'replace' or ''
        local function found(keys, args)
            local old = redis.call('HMGET', keys[1], 'id', 'n', 'states')
            local isEmpty = old[2] == '0' and not old[3] and redis.call('EXISTS', keys[2]) == 0
            if redis.call('EXISTS', keys[1], keys[2]) > 0 then
                if args[6] ~= 'replace' or not isEmpty then return {'exists'} end
                redis.call('UNLINK', keys[1], keys[3], keys[4])
                redis.call('HSET', keys[1], 'was', old[1])
            end
            redis.call('HSET', keys[1], 'id', args[1], 'n', args[2], 't', args[3], 'c', args[4])
            if args[5] ~= '' then
                redis.call('PERSIST', args[5])
                redis.call('HSET', keys[1],
                    'states', args[5], 'below', args[2], 'chain', args[4])
            end
            return {'ok'}
        end

        -- Appends entries, unless the call was done before.
        -- keys: head, log, origins; arguments: identity, origin, number of the call, the time that
        -- the daemon expects or '', entries
        local function append(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local call = tonumber(args[3])
            local last = last_call(keys, args[2], call)
            if call == last then return {'again', text(head.n)} end
            if call ~= last + 1 then return {'order', text(last)} end
            if not has_end(keys[2], head.n) then return {'damaged'} end
            local expected = tonumber(args[4])
            local time = expected and now(keys[1]) or first_time(keys[1], head)
            if expected and math.abs(time - expected) > 1000000 then time = expected end
            time = math.max(time, head.t)
            local n, chain, bytes = head.n, head.c, 0
            for i = 5, #args do
                n = n + 1
                local id, t = text(n), text(time)
                chain = redis.sha1hex(chain .. id .. ' ' .. t .. ' ' .. args[i]):sub(1, 16)
                redis.call('XADD', keys[2], id .. '-0', 'e', args[i], 't', t, 'c', chain,
                    'o', args[2], 's', args[3])
                bytes = bytes + #args[i]
            end
            redis.call('HSET', keys[1], 'n', text(n), 't', text(time), 'c', chain,
                'bytes', text(head.bytes + bytes))
            redis.call('HSET', keys[3], args[2], args[3])
            return {'ok', text(n)}
        end

        -- Returns the house as a daemon needs it when it connects.
        -- keys: head, log; argument: its position
        local function look(keys, args)
            local head = redis.call('HMGET', keys[1],
                'id', 'n', 't', 'c', 'states', 'below', 'chain', 'was')
            local id = args[1] .. '-0'
            local there = redis.call('XRANGE', keys[2], id, id)[1]
            return {head, there or false, first_of(keys[2]), redis.call('XLEN', keys[2]),
                has_end(keys[2], number(head[2]) or 0) and 1 or 0, text(now(keys[1]))}
        end

        -- Whether entries can be appended. Redis refuses to run this while it refuses to write.
        -- keys: head, log; argument: identity
        local function ready(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            return has_end(keys[2], head.n) and {'ok'} or {'damaged'}
        end

        -- Whether the clock of Redis has made a step: no other daemon that is alive denies it.
        local function is_step(rows, origin, time, claim)
            if math.abs(claim) <= 1000000 then return false end
            for i = 1, #rows, 2 do
                local seen, values = row_of(rows[i + 1])
                if seen and rows[i] ~= origin and math.abs(time - seen) < 2000000 then
                    local other = number(values.ahead) or 0
                    if math.abs(other - claim) > 1000000 then return false end
                end
            end
            return true
        end

        -- Records the heartbeat of a daemon, and removes rows that are older than a day. Returns
        -- time, number of the newest entry, rows, the entry that the states are as of, the first
        -- entry of the log, the bytes of entries since the states, and the newest entry that
        -- replaced a secret.
        -- keys: head, log, rows, origins; arguments: identity, origin, row, how far the time of
        -- the house was ahead of the time that the daemon expected, and `off` then
        local function row(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local isNew = not redis.call('HGET', keys[3], args[2])
            local time = isNew and first_time(keys[1], head) or now(keys[1])
            local times = redis.call('HMGET', keys[1], 'off', 'beat', 'grace')
            local claim = tonumber(args[4]) or 0
            local off, beat = number(times[1]) or 0, number(times[2]) or time
            local grace = number(times[3]) or 0
            local rows = redis.call('HGETALL', keys[3])
            -- Another daemon may have changed `off` since.
            if tonumber(args[5]) == off and is_step(rows, args[2], time, claim) then
                time, off, grace = time - claim, off - claim, 0
                redis.call('HSET', keys[1], 'off', text(off), 'grace', '0')
            end
            if math.abs(time - beat) > 60000000 then
                grace = time + 60000000
                redis.call('HSET', keys[1], 'grace', text(grace))
            end
            redis.call('HSET', keys[1], 'beat', text(time))
            redis.call('HSET', keys[3], args[2], text(time) .. ' ' .. args[3])
            for i = 1, #rows, 2 do
                local seen = row_of(rows[i + 1])
                if rows[i] ~= args[2] and (not seen or time - seen > 86400000000 and time > grace)
                then
                    redis.call('HDEL', keys[3], rows[i])
                    redis.call('HDEL', keys[4], rows[i])
                end
            end
            local more = redis.call('HMGET', keys[1], 'below', 'sized', 'secret')
            return {'ok', text(time), text(head.n), redis.call('HGETALL', keys[3]), more[1],
                first_of(keys[2]), text(head.bytes - (number(more[2]) or 0)), more[3], text(off)}
        end

        -- Makes the states as of entry n current, and trims the log up to the former states, but
        -- not behind a daemon that is alive.
        -- keys: head, log, digests, rows, states; arguments: identity, n
        local function states(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local old = redis.call('HMGET', keys[1], 'states', 'below', 'older')
            local n, below = tonumber(args[2]), number(old[2]) or 0
            if n > head.n or n <= below then return {'order', old[2]} end
            local entry = redis.call('XRANGE', keys[2], args[2] .. '-0', args[2] .. '-0')[1]
            local chain = entry and entry[2][6] or n == head.n and head.c
            if not chain then return {'order', old[2]} end
            if redis.call('PERSIST', keys[5]) == 0 then return {'lost'} end
            if old[3] and old[3] ~= '' then redis.call('UNLINK', old[3]) end
            redis.call('HSET', keys[1], 'states', keys[5], 'below', args[2],
                'chain', chain, 'older', old[1] or '', 'sized', text(head.bytes))
            local keep = passed(keys[4], now(keys[1]), below) + 1
            redis.call('XTRIM', keys[2], 'MINID', text(keep) .. '-0')
            for _, field in ipairs(redis.call('HKEYS', keys[3])) do
                if (number(field) or 0) < keep then redis.call('HDEL', keys[3], field) end
            end
            return {'ok'}
        end

        -- Notes that entry n has replaced a secret.
        -- keys: head; arguments: identity, n
        local function secret(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local known = number(redis.call('HGET', keys[1], 'secret')) or 0
            if tonumber(args[2]) > known then redis.call('HSET', keys[1], 'secret', args[2]) end
            return {'ok'}
        end

        -- Removes the former states, and all entries that the current states and each daemon that
        -- is alive have. Returns whether an entry up to n or states before it are left.
        -- keys: head, log, rows; arguments: identity, n
        local function forget(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local old = redis.call('HMGET', keys[1], 'below', 'older')
            local n, below = tonumber(args[2]), number(old[1]) or 0
            if below < n then return {'order'} end
            if old[2] and old[2] ~= '' then redis.call('UNLINK', old[2]) end
            redis.call('HSET', keys[1], 'older', '')
            local keep = passed(keys[3], now(keys[1]), below) + 1
            redis.call('XTRIM', keys[2], 'MINID', text(keep) .. '-0')
            return {keep > n and 'ok' or 'kept'}
        end

        -- Nothing has the secrets up to entry n any more.
        -- keys: head; arguments: identity, n
        local function forgotten(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            if redis.call('HGET', keys[1], 'secret') == args[2] then
                redis.call('HDEL', keys[1], 'secret')
            end
            return {'ok'}
        end

        -- Records the digest of a daemon at entry n, unless there is one. Returns the first digest,
        -- and the value that was there if it was no digest.
        -- keys: head, digests; arguments: identity, n, digest
        local function digest(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local first = redis.call('HGET', keys[2], args[2])
            if first and #first == 16 and first:match('^%x+$') then return {'ok', first} end
            redis.call('HSET', keys[2], args[2], args[3])
            return {'ok', args[3], first}
        end

        -- Replaces the house with states that a daemon has written, under a new identity.
        -- keys: head, log, origins, digests, states; arguments: identity, n, time, chain,
        -- the identity before
        local function restore(keys, args)
            if redis.call('PERSIST', keys[5]) == 0 then return {'lost'} end
            local old = redis.call('HMGET', keys[1], 'states', 'older', 'off')
            redis.call('UNLINK', keys[1], keys[2], keys[3], keys[4])
            for i = 1, 2 do
                if old[i] and old[i] ~= '' and old[i] ~= keys[5] then
                    redis.call('UNLINK', old[i])
                end
            end
            redis.call('HSET', keys[1], 'id', args[1], 'n', args[2], 't', args[3], 'c', args[4],
                'states', keys[5], 'below', args[2], 'chain', args[4], 'was', args[5],
                'off', old[3] or '0')
            return {'ok'}
        end

        local function register(name, callback, ...)
            redis.register_function{
                function_name = 'busd_2_' .. name, callback = callback, flags = {...}}
        end
        register('found', found)
        register('append', append)
        register('look', look, 'no-writes')
        register('ready', ready)
        register('row', row, 'allow-oom')
        register('states', states, 'allow-oom')
        register('secret', secret, 'allow-oom')
        register('forget', forget, 'allow-oom')
        register('forgotten', forgotten, 'allow-oom')
        register('digest', digest)
        register('restore', restore)
        """#
}
