/// The functions that Redis runs for a house. Each checks everything before it writes. The version
/// is part of their names, so that daemons of two versions can use one Redis.
///
/// Keys of a house:
/// - `head`, a hash. `id`: the identity; `n`, `t`, `c`: number, time and chain of the newest entry;
///   `states`, `below`, `chain`: the key of the current states, the entry that they are as of, and
///   its chain; `older`: the key of the former states; `was`: the identity before a restore.
/// - `log`, a stream of entries.
/// - `origins`, a hash: the last call of each origin.
/// - `rows`, a hash: the row of each origin.
/// - `digests`, a hash: a digest by number of its entry.
enum HouseFunctions {
    static let library = "busd_house_1"

    static let code = #"""
        #!lua name=busd_house_1

        local function now()
            local time = redis.call('TIME')
            return tonumber(time[1]) * 1000000 + tonumber(time[2])
        end

        local function text(number) return string.format('%.0f', number) end

        -- Returns the head of the house, or nil and the problem.
        local function head_of(key, identity)
            local values = redis.call('HMGET', key, 'id', 'n', 't', 'c')
            if not values[1] then return nil, {'empty'} end
            if values[1] ~= identity then return nil, {'identity', values[1]} end
            return {n = tonumber(values[2]), t = tonumber(values[3]), c = values[4]}
        end

        -- Makes a house with a log that begins after entry n.
        -- keys: head, log; arguments: identity, n, time, chain, key of the states or ''
        local function found(keys, args)
            if redis.call('EXISTS', keys[1], keys[2]) > 0 then return {'exists'} end
            redis.call('HSET', keys[1], 'id', args[1], 'n', args[2], 't', args[3], 'c', args[4])
            if args[5] ~= '' then
                redis.call('PERSIST', args[5])
                redis.call('HSET', keys[1],
                    'states', args[5], 'below', args[2], 'chain', args[4])
            end
            return {'ok'}
        end

        -- Appends entries, unless the call was done before.
        -- keys: head, log, origins; arguments: identity, origin, number of the call, entries
        local function append(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local last = tonumber(redis.call('HGET', keys[3], args[2]) or '0')
            local call = tonumber(args[3])
            if call == last then return {'again', text(head.n)} end
            if call ~= last + 1 then return {'order', text(last)} end
            local newest = redis.call('XREVRANGE', keys[2], '+', '-', 'COUNT', 1)[1]
            if newest and newest[1] ~= text(head.n) .. '-0' then return {'damaged', newest[1]} end
            local time = math.max(now(), head.t)
            local n, chain = head.n, head.c
            for i = 4, #args do
                n = n + 1
                local id, t = text(n), text(time)
                chain = redis.sha1hex(chain .. id .. ' ' .. t .. ' ' .. args[i]):sub(1, 16)
                redis.call('XADD', keys[2], id .. '-0', 'e', args[i], 't', t, 'c', chain,
                    'o', args[2], 's', args[3])
            end
            redis.call('HSET', keys[1], 'n', text(n), 't', text(time), 'c', chain)
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
            local first = redis.call('XRANGE', keys[2], '-', '+', 'COUNT', 1)[1]
            return {head, there or false, first and first[1] or false, text(now())}
        end

        -- Records the heartbeat of a daemon, and removes rows that are older than a day.
        -- keys: head, rows, origins; arguments: identity, origin, row
        local function row(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local time = now()
            redis.call('HSET', keys[2], args[2], text(time) .. ' ' .. args[3])
            local rows = redis.call('HGETALL', keys[2])
            for i = 1, #rows, 2 do
                local age = time - tonumber(rows[i + 1]:match('^%d+'))
                if age > 86400000000 then
                    redis.call('HDEL', keys[2], rows[i])
                    redis.call('HDEL', keys[3], rows[i])
                end
            end
            return {'ok', text(time), text(head.n), rows, redis.call('HGET', keys[1], 'below')}
        end

        -- Makes the states as of entry n current, and trims the log up to the former states.
        -- keys: head, log, digests, states; arguments: identity, n
        local function states(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            local old = redis.call('HMGET', keys[1], 'states', 'below', 'older')
            local n = tonumber(args[2])
            if n > head.n or n <= tonumber(old[2] or '0') then return {'order', old[2]} end
            local entry = redis.call('XRANGE', keys[2], args[2] .. '-0', args[2] .. '-0')[1]
            if not entry then return {'order', old[2]} end
            if redis.call('PERSIST', keys[4]) == 0 then return {'lost'} end
            if old[3] and old[3] ~= '' then redis.call('UNLINK', old[3]) end
            redis.call('HSET', keys[1], 'states', keys[4], 'below', args[2],
                'chain', entry[2][6], 'older', old[1] or '')
            local keep = tonumber(old[2] or '0') + 1
            redis.call('XTRIM', keys[2], 'MINID', text(keep) .. '-0')
            for _, field in ipairs(redis.call('HKEYS', keys[3])) do
                if tonumber(field) < keep then redis.call('HDEL', keys[3], field) end
            end
            return {'ok'}
        end

        -- Records the digest of a daemon at entry n, unless there is one. Returns the first digest.
        -- keys: head, digests; arguments: identity, n, digest
        local function digest(keys, args)
            local head, problem = head_of(keys[1], args[1])
            if not head then return problem end
            redis.call('HSETNX', keys[2], args[2], args[3])
            return {'ok', redis.call('HGET', keys[2], args[2])}
        end

        -- Replaces the house with states that a daemon has written, under a new identity.
        -- keys: head, log, origins, digests, states; arguments: identity, n, time, chain,
        -- the identity before
        local function restore(keys, args)
            if redis.call('PERSIST', keys[5]) == 0 then return {'lost'} end
            local old = redis.call('HMGET', keys[1], 'states', 'older')
            redis.call('UNLINK', keys[1], keys[2], keys[3], keys[4])
            for i = 1, 2 do
                if old[i] and old[i] ~= '' and old[i] ~= keys[5] then
                    redis.call('UNLINK', old[i])
                end
            end
            redis.call('HSET', keys[1], 'id', args[1], 'n', args[2], 't', args[3], 'c', args[4],
                'states', keys[5], 'below', args[2], 'chain', args[4], 'was', args[5])
            return {'ok'}
        end

        redis.register_function('busd_1_found', found)
        redis.register_function('busd_1_append', append)
        redis.register_function{
            function_name = 'busd_1_look', callback = look, flags = {'no-writes'}}
        redis.register_function{
            function_name = 'busd_1_row', callback = row, flags = {'allow-oom'}}
        redis.register_function{
            function_name = 'busd_1_states', callback = states, flags = {'allow-oom'}}
        redis.register_function('busd_1_digest', digest)
        redis.register_function('busd_1_restore', restore)
        """#
}
