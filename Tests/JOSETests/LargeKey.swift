/// The largest RSA key that is taken, 8192 bits, and a token signed with it by `openssl dgst`.
enum LargeKey {
  /// The modulus.
  static let modulus = """
    wyLKwDSUmy3K59oPE-BZFMbRQJ7WalUXKBpzZBJdMemwyuhm7scCaCqTQfffbl44J2eo2tVgIIGq7GgYspu7Y9NhFBlB\
    47gy9-a7ImudHm9FAP2m6FGnqHFPjH_r1j48ntK89QOdyUr6Pu5hv-TipDsiLJ54w7PRc0RQgYhxWALxOlRW6fTGP4x1\
    qGKFxki2S2eev1NxqK990M3JJrSdnOoondBmfaOiZ-ZkjX-YaERJ9mNQNY5yhTreLLQMCyaob650_5_cPPYE8dUSTN-m\
    Bx7yosddcOTbGbQEnif46PfItjvgghGuBSgSnyi9fZ9POWASgkHewYtjEl_bFUK5mPBHrMyYwT8KYiBNVdjvBhcxODln\
    9LBI9-b94ECjUQqSEDhbqyK7caEFTnKiunO98EycqISpQRAdYtDaLUI7ZTjTLLgdLtn4m3FO-54fQKJPp01_qP36WUE8\
    MlNKVq0jtsKB-Whj27wzX7lFX7bBxfD_DwBq6Bnh0fvz2z4Fz3SMbk0ZEIBOMNEX7DKfWLChnhp76CXXLUKMcs-egSgm\
    KfO1T3vdhvzp12NaQkciVax2euwdgOGgjuFDI7EGzj19DvGpkO8JuQAGjC8wIc0tac84k-MIxj7HqKI3mT-Dd-GCToXO\
    UFFbcOZnESRlNt9oI5Ep1ckndaq6iQQyTUB3k8Yw9HLL8vSNU6jNNbaqUC3QEv7P8UV23GpSfoIzOaIjXm_q_hM21U37\
    ykM_bWvw-8GYoLXtnLba_9S5xphIEhleYRp1xhDygTD2yF6Cs0lRpHV1S80IGsDLtxiq6Izjf3NRi2Aeocead7E5sops\
    Ajckz0rAsLVofeRyaiUQBtazT4JQkzBf4nQvNxXRSEuJz96x8vneT46paBCpgehd5qSB1PrLRmN1jfqFbgl32g7ecR49\
    OokJ4nr5L1cBwVlBMFw5Dw-Ydi-XOYfZp6Pu_7hIUw7pSv2f4fi-JqfVDor3_c8ztiKTWDaJITjluMcasPRegsZtS0oa\
    JQ-npo2vqbFhdudMEy_2Ez19XiAi9dXsj9wjq_tHji5TBhEQwzZWFhp7ZKFi5exyxw5-_1O8bVMwNFC1bdCnYKJdhRRk\
    ucm4c_nUOTeIFw-80PdlwHf1nAyun_3c4GCHSzR5iYIbadelxAflpgYwxBrQDx82KQYfJd-QDEuDP0KCx4-IUvn8zmRa\
    MLDT1IUlNLgkcf-R5UwjguaH71GuXjNs_xy9KsHTsOTNfXkgZp2ip5QHdnhmQ5LSgAcRXozcRouUcWfQjSPSwa1bFdDJ\
    oB48IDWGmI00vAy_nNbc_idawLl7vWdOuzXQPpOSzZlhY_KmdGxbl_U5j53j1YnsHeBZ8jOraldk-Q
    """

  /// A token with the payload `large`, signed with RS256.
  static let token = """
    eyJhbGciOiJSUzI1NiJ9.bGFyZ2U.t-e8VWMBUEhmbw3NiUITDsBglp5KsBTgu4iESTpC3CH1i8E4iugo6cQmlYWkxsO\
    X1_fVGtfH3sQec2WfvtmWPPAnnnOymcbC8vxSYTMr131F_nMB6hH7hTRURtNjnFdK8-MO7fEZpQimO82SKTvftqcZWBD\
    af2VxykGn0QSRghEECYnNFT5GZBNbl3pzOd47JXtIfWUA5BKERLFaZluJfIvnMpgqLAm7Oojl8-DueH8VpUOQ_489Em5\
    kVEtgFUNc4IQ8CPaf2v0iRhnY-YEKSG46VIilFrlnKZjht7Y3Gb27gjFCd2TP5J_IQOyyawg4R-4C8JAikDLYvJwK12b\
    ga0fHTKoykXlJSxyAjdzklj6HBEH4Q14mmdzFcFqmCw24R8eal3gdqAwFVUTqTmrrTQ3ZmNKaJYdRbowhyV9U9CfuMSd\
    Yt4l46Ti1OuRrG4kZ-nJMRJl6s1cr7EQkQaLiaY3I4C1YiJSZHi3hzyieh-GK5_fA48B-8afRBEMOmMIJk6RMtkhjD9_\
    6asmots08Xdd-ZrktBEWKNVK8M1MhRRmPFzFymOVfaloHFE8REhVhIwHcW-nwYK38twQzC-Z5dhrMHRknRquYYc56uTO\
    TX--v1egxyEcm4q1vGF2bTHNKh3vOli8kmz4P_dqLUV-xcBtuzWojiCFshwT-gp2XfcGs1J2wAQEILbHXTtK3HL2uMyG\
    qE609pSuXL8S77MpYKGlAMaBsYuPfgAb2CnkgSri-K_-qX5A_hv_N3AtNTMTtK4HVXD4dN2QETOBCXn3gKYRd3bPw9Jx\
    3-f_8PWDC4M-8DH0FyVfvPpQ0XLFfyyNgKi3UsY_O5SjGzqGBZQUh5y1M8vVD7jpq7lVGucl7lMIsqgPGcXv-zE4lpWc\
    -ZmXkwumKHUAx-kelWbR0KI10uUxIO79lyGAQQ6dBboyDTrpbi7B51VCaCfdCAHhWJ5qZMs3GHdJPFjz6ZfZjslE7bwv\
    IiEL7GZS6WIgBOen_HcvLpCStSpE956y_txu3TRA5AeRdw4PNlYFIfjFVirAqQOuq68IZL04NMQN2NmUqPuB0aJcazjt\
    Is4oMRDA4ooNETBplznYn0mULjk02es56g9DM8cByqOuKS_2jgVn8ZJiiS2m723FbZCSh0mvJmr8_NrJ7UPFgvyCkcML\
    MLI7tiybSOfyQm2cRgnVE5TYOVMHy96k4evkXIsDup0QvdSjm39fQaUAR6JvRpWtu3MfxVBaBBDLB7xMYIWv8ekWlACZ\
    ZEht6726H_lyR-VhjJX8JyCC95ElzT71IrOudZyWLQ7EA0LvllvmofzMGA5EWCTBOUmGUTg9MsepBug5CptVRCCM44mE\
    0tge12fMN2Kep_Q
    """
}
