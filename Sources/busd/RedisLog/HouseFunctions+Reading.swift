// How the functions read the keys of a house, which may have any values.
extension HouseFunctions {
    static let reading = #"""
        local function text(number) return string.format('%.0f', number) end

        -- A whole number of at most 2^53 in size; else nil.
        local function number(value)
            local number = tonumber(value or nil)
            if number and math.abs(number) <= 2^53 and number % 1 == 0 then return number end
        end

        -- The time of the house.
        local function now(head_key)
            local time = redis.call('TIME')
            local off = number(redis.call('HGET', head_key, 'off')) or 0
            return tonumber(time[1]) * 1000000 + tonumber(time[2]) + off
        end

        -- Returns the head of the house, or nil and the problem.
        local function head_of(key, identity)
            local values = redis.call('HMGET', key, 'id', 'n', 't', 'c', 'bytes', 'beat')
            if not values[1] then return nil, {'empty'} end
            if values[1] ~= identity then return nil, {'identity', values[1]} end
            local n, t = number(values[2]), number(values[3])
            if not n or not t or not values[4] then return nil, {'damaged'} end
            return {n = n, t = t, c = values[4], bytes = number(values[5]) or 0,
                beat = number(values[6]) or 0}
        end

        -- The time of the house, for a daemon that expects none yet. If it is earlier than what
        -- was recorded last, it goes on from there: a daemon may have run for a second more.
        local function first_time(head_key, head)
            local time, last = now(head_key), math.max(head.t, head.beat)
            if time >= last then return time end
            local off = number(redis.call('HGET', head_key, 'off')) or 0
            redis.call('HSET', head_key, 'off', text(off + last + 1000000 - time))
            return last + 1000000
        end

        -- The time in a row, and its other values; nil if it is damaged.
        local function row_of(text)
            local digits, json = text:match('^(%d+) (.+)$')
            if not digits or #text > 1000 then return end
            local is_table, values = pcall(cjson.decode, json)
            if not is_table or type(values) ~= 'table' then return end
            return tonumber(digits), values
        end

        -- The newest entry up to `n` that all daemons with a heartbeat in the last minute have.
        local function passed(rows_key, time, n)
            local rows = redis.call('HVALS', rows_key)
            for _, row in ipairs(rows) do
                local seen, values = row_of(row)
                local position = values and number(values.position)
                if position and math.abs(time - seen) < 60000000 then n = math.min(n, position) end
            end
            return n
        end

        -- Whether the log ends with entry n, or is empty.
        local function has_end(log_key, n)
            local newest = redis.call('XREVRANGE', log_key, '+', '-', 'COUNT', 1)[1]
            return not newest or newest[1] == text(n) .. '-0'
        end

        local function first_of(log_key)
            local first = redis.call('XRANGE', log_key, '-', '+', 'COUNT', 1)[1]
            return first and first[1] or false
        end

        -- The number of the last call of an origin. If the record is damaged, the log shows it.
        local function last_call(keys, origin, call)
            local last = redis.call('HGET', keys[3], origin)
            if not last or number(last) then return number(last) or 0 end
            for _, entry in ipairs(redis.call('XREVRANGE', keys[2], '+', '-', 'COUNT', 1024)) do
                if entry[2][8] == origin then return number(entry[2][10]) or call - 1 end
            end
            return call - 1
        end
        """#
}
